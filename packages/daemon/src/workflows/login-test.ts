// Tries a persona's login with a workflow, in a session of its own of which nothing is kept, and says how far it came.
import { AppError } from '@weft/contract';
import type { LoginTest, TestLogin } from '@weft/contract';
import { NO_LOGINS, ReachMemory, RunFault, loginEndOf, planOf, runWorkflow } from '@weft/engine';
import type { RunEnd, RunPlan, WorkflowPorts } from '@weft/engine';
import { createCookieStore } from '@weft/engine/io';
import type { Actor } from '@weft/serve';
import { actingOf } from '../personas/persona.ts';
import type { Vault } from '../vault/vault.ts';
import { parseDefinition } from './definition.ts';
import { privateTargetsOf, settleInputs } from './inputs.ts';
import { robotsOf } from './robots.ts';
import { createReveal } from './reveal.ts';
import type { WorkflowRow } from './store.ts';
import type { WorkflowWorkPorts } from './work.ts';
import { runActor } from './workflow-runs.ts';

export interface LoginTests {
  /**
   * Logs the persona in. Throws AppError: `bad_request` where no workflow fits, `not_found`, `vault_locked`, and `captcha_required` where only
   * a person comes further.
   */
  run(personaId: number, asked: TestLogin, actor: Actor, signal: AbortSignal): Promise<LoginTest>;
}

export type LoginTestPorts = Pick<
  WorkflowWorkPorts,
  'store' | 'views' | 'asking' | 'clock' | 'browserSessions' | 'secrets' | 'personas'
> & { readonly vault: Pick<Vault, 'require'> };

/** A login has a person's time at most. */
const SECONDS_MAX = 300;
const STEPS_MAX = 500;

/** Who logs in for whom, and where. */
interface Login {
  readonly personaId: number;
  readonly ownerId: string;
  readonly privateTargets: readonly string[];
}

/** What is seen of a login while it goes on. */
interface Seen {
  readonly steps: Map<number, LoginTest['steps'][number]>;
  codeAsked: boolean;
  codeSent: boolean;
}

export function createLoginTests(ports: LoginTestPorts): LoginTests {
  return {
    async run(personaId, { workflow_id: workflowId, inputs = {} }, actor, signal) {
      const row = workflowId === undefined ? onlyWorkflowOf(personaId, ports) : requireWorkflow(workflowId, ports);
      ports.vault.require();
      const definition = parseDefinition(row.definition);
      if (definition.persona_id !== personaId)
        throw new AppError(
          'bad_request',
          `Workflow ${row.id} acts as ${definition.persona_id === undefined ? 'nobody' : `persona ${definition.persona_id}`}, not as persona ${personaId}.`,
        );
      const end = loginEndOf(definition.steps);
      if (!end)
        throw new AppError(
          'bad_request',
          `Workflow ${row.id} has no step that shows whether the login has worked: add a "login", or an "assert" or "waitForElement" behind what it sends.`,
        );
      const settled = settleInputs(definition, inputs);
      const { limits, ...plan } = planOf(definition, settled);
      const bounded = { ...limits, stepsMax: Math.min(limits.stepsMax, STEPS_MAX), secondsMax: Math.min(limits.secondsMax, SECONDS_MAX) };
      const short: RunPlan = { ...plan, ...end, finally: [], output: undefined, limits: bounded };
      const seen: Seen = { steps: new Map(), codeAsked: false, codeSent: false };
      const privateTargets = privateTargetsOf(definition, settled, runActor(actor).mayName);
      const ended = await runWorkflow(short, portsOf({ personaId, ownerId: actor.id, privateTargets }, seen, ports), signal);
      requireNobody(ended);
      return reportOf(row.id, end.until, ended, seen);
    },
  };
}

function requireWorkflow(id: number, { store }: LoginTestPorts): WorkflowRow {
  const row = store.findById(id);
  if (!row) throw new AppError('not_found', `There is no workflow ${id}.`);
  return row;
}

function onlyWorkflowOf(personaId: number, { store }: LoginTestPorts): WorkflowRow {
  const [row, ...others] = store.actingAs(personaId);
  if (!row) throw new AppError('bad_request', `No workflow acts as persona ${personaId}: make one whose "persona_id" is ${personaId}.`);
  if (others.length === 0) return row;
  const ids = [row, ...others].map(({ id }) => id).slice(0, 20);
  throw new AppError('bad_request', `Workflows ${ids.join(', ')} act as persona ${personaId}; choose one by "workflow_id".`);
}

/** Throws AppError for what ends a test without an answer. */
function requireNobody({ failure }: RunEnd): void {
  if (failure?.code === 'captcha') throw new AppError('captcha_required', failure.message);
  if (failure?.code === 'vault_locked') throw new AppError('vault_locked', failure.message);
}

/** The login is tried as a run would: with its pace, its origins and its codes; it keeps nothing. */
function portsOf({ personaId, ownerId, privateTargets }: Login, seen: Seen, ports: LoginTestPorts): WorkflowPorts {
  const { asking, clock, views, browserSessions: sessions } = ports;
  const { fetcher, gate } = asking;
  const acting = actingOf(ports.personas.require(personaId));
  const noPerson = async (what: string): Promise<never> => {
    throw new RunFault('captcha', `${what} Nobody can be asked during a test; run the workflow, which waits for a person.`);
  };
  const reveal = createReveal(ports, (instructions) => noPerson(`A person is needed: ${instructions}`));
  return {
    fetcher,
    gate,
    sessions,
    clock,
    read: async (request, signal) => (await views.run('reading', request, signal, ownerId)).result,
    tell: async (news) => {
      if (news.type !== 'step') return;
      const { index, step_id, step_type, status, duration_ms, message } = news;
      const more = { ...(duration_ms === undefined ? {} : { duration_ms }), ...(message === undefined ? {} : { message }) };
      seen.steps.set(index, { step_id, step_type, status, ...more });
    },
    keepRows: async (rows) => rows.length,
    keepFile: async ({ name }) => ({ id: '', name }),
    readFile: async () => {
      throw new RunFault('input', 'The test of a login sends no files.');
    },
    reveal: async (reference, origin, personaId, signal) => {
      const isCode = reference.kind === 'persona' && reference.field === 'totp';
      if (isCode) seen.codeAsked = true;
      const value = await reveal(reference, origin, personaId, signal);
      if (isCode) seen.codeSent = true;
      return value;
    },
    askPerson: ({ instructions }) => noPerson(`A person is needed: ${instructions}`),
    call: async () => {
      throw new RunFault('input', 'The test of a login runs no other workflow.');
    },
    session: { read: async () => undefined, readNewer: async () => undefined, replace: async () => 'kept', logins: () => NO_LOGINS },
    inLoginLine: async (_origin, _signal, work) => await work(),
    acting,
    robots: robotsOf(asking, privateTargets, acting),
    privateTargets,
    names: new ReachMemory(),
    cookies: () => createCookieStore(),
  };
}

function reportOf(workflow_id: number, until: string, { failure, lane }: RunEnd, seen: Seen): LoginTest {
  const steps = [...seen.steps.values()];
  const logged_in = !failure && steps.some(({ step_id, status }) => step_id === until && status === 'succeeded');
  return {
    workflow_id,
    lane,
    steps,
    code_asked: seen.codeAsked,
    code_sent: seen.codeSent,
    code_accepted: seen.codeSent && logged_in,
    logged_in,
    ...(failure ? { failure } : {}),
  };
}
