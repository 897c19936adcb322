// Maps: the addresses of a site, found and answered at once.
import type { ExtraTable, Input, ReplyOf } from '@weft/contract';
import { AppError } from '@weft/contract';
import { mapAnswer } from '@weft/engine';
import type { AskingPorts, ViewReader } from '@weft/engine';
import type { Actor } from '@weft/serve';
import { isAdmin } from '@weft/serve';
import { privateTargetsOf } from '../auth/private-targets.ts';
import type { LogFailure } from '../group.ts';

type MapRequest = Input<ExtraTable['map']['run']>['body'];
type MappedSite = ReplyOf<ExtraTable['map']['run']>['body'];

export interface Maps {
  /** The addresses of a site; one that can't be reached has a `failure`. Throws AppError `forbidden`. */
  run(request: MapRequest, actor: Actor, signal: AbortSignal): Promise<MappedSite>;
}

export function createMaps(ports: AskingPorts & { readonly views: ViewReader; readonly logFailure: LogFailure }): Maps {
  return {
    async run(request, actor, signal) {
      const { url, respect_robots = true } = request;
      if (!respect_robots && !isAdmin(actor))
        throw new AppError('forbidden', '"respect_robots": false needs the admin scope or the runtime token.');
      const mapped = await mapAnswer(request, privateTargetsOf(url, actor), ports, signal);
      if (mapped.failure) ports.logFailure({ of: url, kind: 'map' }, mapped.failure);
      return mapped;
    },
  };
}
