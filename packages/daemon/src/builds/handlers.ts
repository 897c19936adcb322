// Group Builds.
import type { BuildView, ExtraTable, StartBuild, StartDiscovery } from '@weft/contract';
import { creation, listHeaders } from '@weft/serve';
import type { Actor, GroupHandlers } from '@weft/serve';
import { answerDispatched } from '../runs/answer.ts';
import type { Executor } from '../runs/executor.ts';
import type { Runs } from '../runs/run.ts';
import type { Builds } from './build.ts';
import type { TryBuilt } from './try.ts';

export interface BuildNouns {
  readonly builds: Builds;
  readonly tryBuilt: TryBuilt;
  readonly runs: Runs;
  readonly executor: Executor;
}

export function buildHandlers({ builds, tryBuilt, runs, executor }: BuildNouns): GroupHandlers<ExtraTable['builds']> {
  const begin = (body: StartBuild | StartDiscovery, isDiscovery: boolean, actor: Actor) => builds.start(body, isDiscovery, actor);
  const answer = async (buildId: string, { body, signal, origin }: Answering): Promise<Dispatched> => {
    const { id, run_id: runId } = builds.require(buildId);
    const status = await answerDispatched(runId, body, { runs, executor }, signal);
    return { status, body: builds.viewNewest(id, origin) };
  };
  return {
    list({ query, ownerId }) {
      const { data, total } = builds.list(query, ownerId);
      return { status: 200, headers: listHeaders('/x/builds', query, data.length, total), body: { data, count: data.length } };
    },
    start: creation<ExtraTable['builds']['start'], string>({
      effect: ({ body, actor }) => begin(body, false, actor),
      answer: (buildId, call) => answer(buildId, call),
    }),
    discover: creation<ExtraTable['builds']['discover'], string>({
      effect: ({ body, actor }) => begin(body, true, actor),
      answer: (buildId, call) => answer(buildId, call),
    }),
    read: ({ params, origin }) => ({ status: 200, body: builds.view(params.id, origin) }),
    evidence: ({ params }) => ({ status: 200, body: builds.evidence(params.id) }),
    draft({ params, body, origin }) {
      const id = builds.pick(params.id, body);
      executor.wake();
      return { status: 202, body: builds.viewNewest(id, origin) };
    },
    try: async ({ params, body, signal }) => ({ status: 200, body: await tryBuilt(params.id, params.name, body.inputs ?? {}, signal) }),
    async verify({ params }) {
      const data = await builds.verify(params.id);
      return { status: 200, body: { data, count: data.length } };
    },
    rebuild({ params, actor, origin }) {
      const buildId = builds.rebuild(params.id, actor);
      executor.wake();
      return { status: 202, body: builds.view(buildId, origin) };
    },
    update({ params, body, origin }) {
      builds.update(params.id, body);
      return { status: 200, body: builds.viewNewest(builds.require(params.id).id, origin) };
    },
    async check({ params, query, actor, signal }) {
      const runId = builds.check(params.id, actor);
      const status = await answerDispatched(runId, query, { runs, executor }, signal);
      return { status, body: runs.require(runId) };
    },
    accept({ params }) {
      const data = builds.accept(params.id);
      return { status: 200, body: { data, count: data.length } };
    },
    decline({ params, origin }) {
      builds.decline(params.id);
      return { status: 200, body: builds.viewNewest(builds.require(params.id).id, origin) };
    },
    publish({ params, body }) {
      const data = builds.publish(params.id, body);
      return { status: 201, body: { data, count: data.length } };
    },
    cancel({ params, origin }) {
      const { id } = builds.require(params.id);
      return { status: builds.cancel(params.id) ? 200 : 409, body: builds.viewNewest(id, origin) };
    },
    delete({ params }) {
      builds.delete(params.id);
      return { status: 204 };
    },
  };
}

/** Of a call that has begun a build. */
interface Answering {
  readonly body: StartBuild | StartDiscovery;
  readonly signal: AbortSignal;
  readonly origin: string;
}

interface Dispatched {
  readonly status: 200 | 202;
  readonly body: BuildView;
}
