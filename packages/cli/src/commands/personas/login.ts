// weft persona login <persona> <url>: logs in once by a workflow that is kept, whose session pages and crawls then have.
import type { NewWorkflow, Workflow } from '@weft/contract';
import type { AgentClient } from '@weft/client/node';
import { toUrl } from '../../address.ts';
import { EXIT } from '../../exit.ts';
import { orTry } from '../../or-try.ts';
import { shellWord } from '../../shell-word.ts';
import type { CommandRun } from '../../spec.ts';
import { followRun } from '../workflows/run.ts';
import { findPersona } from './refs.ts';

export const run: CommandRun = async (context, [ref = '', address = ''], options) => {
  const url = toUrl(address);
  const id = await findPersona(context, ref);
  const client = await context.client();
  const { signal } = context;
  const { shows, lane } = options;
  const persona = await orTry('weft persona list', client.personas.read({ id }, { signal }));
  const success = typeof shows === 'string' ? { success: { page: { selectors: [shows] }, op: 'exists' } } : {};
  const steps = [{ id: 'login', type: 'login', url, ...success }];
  const body = { name: `Log in ${persona.name}`, persona_id: id, steps, lane: typeof lane === 'string' ? lane : 'auto' };
  const { workflow, isNew } = await keep(client, slugOf(id, url), body, signal);
  const { id: runId } = await client.workflows.run({ id: workflow.id }, { signal });
  await followRun(context, client, runId);
  const results = await client.runs.results({ id: runId }, { signal });
  if (results.status === 'succeeded') {
    const { sessions } = await client.personas.read({ id }, { signal });
    context.show(
      { persona_id: id, workflow: workflow.slug, run_id: runId, sessions },
      `${persona.name} is logged in at ${new URL(url).origin}.`,
    );
    context.say(`Try:   weft scrape ${shellWord(url)} --persona ${shellWord(persona.name)}`);
    return EXIT.done;
  }
  // What never worked is no way to log in.
  if (isNew) await client.workflows.delete({ id: workflow.id }, { signal });
  const { failure } = results;
  if (failure) context.say(`weft: ${failure.message}\nCause: ${failure.code}`);
  context.say(`Try:   weft persona set ${shellWord(ref)} --values username,password, where one of them is wrong`);
  context.say(
    typeof shows === 'string'
      ? `Try:   weft record ${shellWord(url)} --persona ${id}`
      : `Try:   weft persona login ${shellWord(ref)} ${shellWord(url)} --shows <css>, where <css> finds what only somebody sees who is logged in`,
  );
  return EXIT.failed;
};

/** One for each persona and host. */
function slugOf(id: number, url: string): string {
  return `login-${id}-${new URL(url).host.replace(/[^a-z0-9]+/gi, '-').toLowerCase()}`.slice(0, 60);
}

/** The workflow of this slug, as `body` has it. */
async function keep(
  client: AgentClient,
  slug: string,
  body: object,
  signal: AbortSignal,
): Promise<{ readonly workflow: Workflow; readonly isNew: boolean }> {
  const { data } = await client.workflows.list({ q: slug, limit: 500 }, { signal });
  const known = data.find((one) => one.slug === slug);
  // The agent checks the members.
  const asked = { ...body, slug } as NewWorkflow;
  return known
    ? { workflow: await client.workflows.update({ id: known.id, ...asked }, { signal }), isNew: false }
    : { workflow: await client.workflows.create(asked, { signal }), isNew: true };
}
