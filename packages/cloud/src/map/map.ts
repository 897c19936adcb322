// Maps: the addresses of a site, found and answered at once.
import type { CloudTable, Input, ReplyOf } from '@weft/contract';
import { mapAnswer } from '@weft/engine';
import type { AskingPorts, ViewReader } from '@weft/engine';
import { askingFor } from '../hosts/asker.ts';
import type { Asker } from '../hosts/asker.ts';

type MapRequest = Input<CloudTable['keyless']['map']>['body'];
type MappedSite = ReplyOf<CloudTable['keyless']['map']>['body'];

export interface Maps {
  /** The addresses of a site as its robots.txt allows; one that can't be reached has a `failure`. */
  run(request: MapRequest, asker: Asker, signal: AbortSignal): Promise<MappedSite>;
}

export function createMaps(ports: AskingPorts & { readonly views: ViewReader }): Maps {
  return { run: (request, asker, signal) => mapAnswer(request, [], askingFor(ports, asker), signal) };
}
