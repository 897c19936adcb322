// Recordings: sessions in which a person acts, and the workflows that they become. They live as long as the agent, in its memory.
import { AppError } from '@weft/contract';
import type { LeftOut, NewRecording, NewWorkflow, Recording, Workflow } from '@weft/contract';
import { PageError } from '@weft/engine';
import type { BrowserRecordings, CrawlClock, RecordedSession } from '@weft/engine';
import { toInstant } from '@weft/serve';
import { privateTargetsOf } from '../auth/private-targets.ts';
import { actingOf } from '../personas/persona.ts';
import type { Personas } from '../personas/persona.ts';
import type { Screen, Screens } from '../screens/screens.ts';

export interface Recordings {
  /** Opens its browser beside the answer. Throws AppError `not_found` for a persona that there is not, `device_capacity`. */
  create(input: NewRecording): Recording;
  /** Throws AppError `not_found`, as all that take an id. */
  require(id: number): Recording;
  /** Throws AppError `conflict` where nobody can act in it. */
  requireOpen(id: number): void;
  /** Keeps what was recorded. Throws AppError `conflict` where there is nothing to end. */
  finish(id: number): Promise<Recording>;
  discard(id: number): Promise<void>;
  /** Discards all. */
  close(): Promise<void>;
}

export interface RecordingPorts {
  readonly sessions: BrowserRecordings | undefined;
  readonly hasScreen: boolean;
  readonly screens: Screens;
  readonly personas: Pick<Personas, 'require'>;
  readonly createWorkflow: (workflow: NewWorkflow) => Workflow;
  /** Waits for a place at the host of each document (D32). */
  readonly beforeDocument: (url: string, signal: AbortSignal) => Promise<() => void>;
  readonly clock: Pick<CrawlClock, 'now' | 'steadyMs' | 'alarm'>;
  readonly logError: (message: string, error: unknown) => void;
}

/** Half of the sessions that the pool holds, so that runs still have some. */
const LIVE_MAX = 2;
/** Those that are over and still told of. */
const ENDED_MAX = 20;
const OPEN_MS = 30_000;
/** A recording that neither its page nor a program has asked for in so long was forgotten: a pause of a person, three times over. */
const FORGOTTEN_MS = 15 * 60_000;
const VIEWPORT = { width: 1280, height: 720 };

interface Kept {
  readonly id: number;
  readonly input: NewRecording;
  readonly isWindow: boolean;
  readonly createdMs: number;
  readonly ending: AbortController;
  status: Recording['status'];
  recorded?: RecordedSession;
  finishing?: Promise<void>;
  leftOut: readonly LeftOut[];
  workflowId?: number;
  message?: string;
  askedMs: number;
}

export function createRecordings(ports: RecordingPorts): Recordings {
  return new KeptRecordings(ports);
}

class KeptRecordings implements Recordings {
  private readonly ports: RecordingPorts;
  private readonly kept = new Map<number, Kept>();
  private newest = 0;

  constructor(ports: RecordingPorts) {
    this.ports = ports;
  }

  create(input: NewRecording): Recording {
    const { personas, hasScreen, clock } = this.ports;
    const acting = input.persona_id === undefined ? {} : actingOf(personas.require(input.persona_id));
    const live = [...this.kept.values()].filter(isLive).length;
    if (live >= LIVE_MAX)
      throw new AppError('device_capacity', `${live} recordings are open, as many as may be; end one with DELETE /x/recordings/{id}.`);
    const kept: Kept = {
      id: ++this.newest,
      input,
      isWindow: input.window ?? hasScreen,
      createdMs: clock.now(),
      ending: new AbortController(),
      status: 'opening',
      leftOut: [],
      askedMs: clock.steadyMs(),
    };
    this.kept.set(kept.id, kept);
    this.forgetEnded();
    this.watchForForgotten(kept);
    void this.open(kept, acting);
    return shown(kept);
  }

  require(id: number): Recording {
    return shown(this.requireKept(id));
  }

  requireOpen(id: number): void {
    requireRecording(this.requireKept(id));
  }

  async finish(id: number): Promise<Recording> {
    const kept = this.requireKept(id);
    // Its page and its command may end it at once.
    kept.finishing ??= this.keepWorkflow(kept, requireRecording(kept));
    await kept.finishing;
    return shown(kept);
  }

  private async keepWorkflow(kept: Kept, recorded: RecordedSession): Promise<void> {
    try {
      const { workflow, leftOut } = await recorded.recording(kept.input.name ?? `Recording of ${new URL(kept.input.url).host}`);
      kept.leftOut = leftOut;
      if (workflow) kept.workflowId = this.ports.createWorkflow(withPersona(workflow, kept.input.persona_id)).id;
      else kept.message = 'Nothing was done that could be recorded.';
      kept.status = 'finished';
    } catch (error) {
      this.fail(kept, error);
    } finally {
      await this.release(kept);
    }
  }

  async discard(id: number): Promise<void> {
    const kept = this.requireKept(id);
    if (isLive(kept)) await this.end(kept, 'It was discarded.');
    this.kept.delete(id);
  }

  async close(): Promise<void> {
    await Promise.all([...this.kept.values()].filter(isLive).map((kept) => this.end(kept, 'The agent stopped.')));
  }

  private async open(kept: Kept, acting: object): Promise<void> {
    const { sessions, screens, beforeDocument } = this.ports;
    const { signal } = kept.ending;
    const { url } = kept.input;
    try {
      if (!sessions) throw new PageError('browser', 'There is no browser here that could hold a session: `weft browser install`.');
      const options = { ...acting, viewport: VIEWPORT, isHeaded: kept.isWindow, beforeDocument };
      kept.recorded = await sessions.record({ ...options, privateTargets: privateTargetsOf(url, 'saved') }, signal);
      await kept.recorded.session.navigate(url, {}, { timeoutMs: OPEN_MS, signal });
      if (kept.status !== 'opening') return;
      kept.status = 'recording';
      screens.hold('recording', kept.id, this.screenOf(kept, kept.recorded));
    } catch (error) {
      if (kept.status === 'opening') this.fail(kept, error);
      await this.release(kept);
    }
  }

  private screenOf(kept: Kept, { session, steps }: RecordedSession): Screen {
    return {
      session,
      state: () => {
        kept.askedMs = this.ports.clock.steadyMs();
        return {
          title: 'Recording',
          instructions: 'Do what the workflow is to do. Passwords are not recorded.',
          mayAct: true,
          steps: steps().map(({ id, type }) => `${id} ${type}`),
        };
      },
      open: async (url) => await session.navigate(url, {}, { timeoutMs: OPEN_MS, signal: kept.ending.signal }),
      done: async () => void (await this.finish(kept.id)),
      discard: async () => await this.end(kept, 'It was discarded.'),
    };
  }

  private async end(kept: Kept, message: string): Promise<void> {
    kept.status = 'discarded';
    kept.message = message;
    kept.ending.abort();
    await this.release(kept);
  }

  private async release(kept: Kept): Promise<void> {
    this.ports.screens.drop('recording', kept.id);
    await kept.recorded?.session.close();
  }

  private fail(kept: Kept, error: unknown): void {
    kept.status = 'failed';
    const isExpected = error instanceof PageError || error instanceof AppError;
    kept.message = isExpected ? error.message : 'Something unexpected failed; the log of the agent says more.';
    if (!isExpected) this.ports.logError('a recording failed', error);
  }

  /** Throws AppError `not_found`. */
  private requireKept(id: number): Kept {
    const kept = this.kept.get(id);
    if (!kept) throw new AppError('not_found', `There is no recording ${id}; those of before the agent's start are gone.`);
    kept.askedMs = this.ports.clock.steadyMs();
    return kept;
  }

  private watchForForgotten(kept: Kept): void {
    const { clock } = this.ports;
    clock.alarm(kept.askedMs + FORGOTTEN_MS, () => {
      if (!isLive(kept)) return;
      if (clock.steadyMs() < kept.askedMs + FORGOTTEN_MS) return this.watchForForgotten(kept);
      void this.end(kept, 'Nobody asked for it in fifteen minutes.');
    });
  }

  private forgetEnded(): void {
    const ended = [...this.kept.values()].filter((kept) => !isLive(kept));
    for (const { id } of ended.slice(0, Math.max(0, ended.length - ENDED_MAX))) this.kept.delete(id);
  }
}

function isLive({ status }: Kept): boolean {
  return status === 'opening' || status === 'recording';
}

function requireRecording({ id, status, recorded }: Kept): RecordedSession {
  if (status === 'recording' && recorded) return recorded;
  throw new AppError('conflict', `Recording ${id} is ${status}; nobody can act in it.`);
}

/** Whoever is named acts, where the steps send something of theirs. */
function withPersona(workflow: NewWorkflow, personaId: number | undefined): NewWorkflow {
  return personaId === undefined ? workflow : { ...workflow, persona_id: personaId };
}

function shown({ id, status, input, isWindow, recorded, leftOut, workflowId, message, createdMs }: Kept): Recording {
  return {
    id,
    status,
    url: input.url,
    window: isWindow,
    steps: (recorded?.steps() ?? []).map((step) => ({ id: step.id, type: step.type })),
    left_out: [...leftOut],
    ...(workflowId === undefined ? {} : { workflow_id: workflowId }),
    ...(message === undefined ? {} : { message }),
    created_at: toInstant(createdMs),
  };
}
