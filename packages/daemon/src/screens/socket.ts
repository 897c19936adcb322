// What goes over a WebSocket between a person's browser and a session that they act on (D17). The person asks for each picture, so that none piles up.
import { AppError, ScreenFrame } from '@weft/contract';
import { PageError } from '@weft/engine';
import type { Actor } from '@weft/serve';
import type { Screen, Screens } from './screens.ts';

/** The socket's side that this file needs. */
export interface FrameSocket {
  on(event: 'message', hear: (data: { toString(): string }, isBinary: boolean) => void): unknown;
  send(data: string | Uint8Array): void;
}

export interface ScreenPorts {
  readonly screens: Pick<Screens, 'find'>;
  /** A ticket for the same page, should it be loaded again. */
  readonly nextTicket: (actor: Actor) => string;
}

/** One act, or one picture, of a page that may hang. */
const ACT_MS = 10_000;
/** Acts that wait for a page; by then the person has seen that it hangs. */
const WAITING_MAX = 200;

/** Answers the frames of a person until `signal` aborts. Only the runtime token may act. */
export function serveScreen(socket: FrameSocket, actor: Actor, signal: AbortSignal, ports: ScreenPorts): void {
  const line = new ScreenLine(socket, actor, signal, ports);
  socket.on('message', (data, isBinary) => line.hear(isBinary ? '' : data.toString()));
}

class ScreenLine {
  private readonly socket: FrameSocket;
  private readonly actor: Actor;
  private readonly signal: AbortSignal;
  private readonly ports: ScreenPorts;
  private watched: Extract<ScreenFrame, { watch: unknown }>['watch'] | undefined;
  private shown: Uint8Array | undefined;
  private isLooking = false;
  private waiting = 0;
  private turn: Promise<void> = Promise.resolve();

  constructor(socket: FrameSocket, actor: Actor, signal: AbortSignal, ports: ScreenPorts) {
    this.socket = socket;
    this.actor = actor;
    this.signal = signal;
    this.ports = ports;
  }

  hear(text: string): void {
    if (this.actor.family !== 'wlt') return this.tell({ error: 'Only the runtime token (wlt_) may act in a browser.' });
    const frame = ScreenFrame.safeParse(parsed(text));
    if (!frame.success) return this.tell({ error: 'This frame is none that a screen sends.' });
    if ('look' in frame.data) return void this.look();
    if ('watch' in frame.data) {
      this.watched = frame.data.watch;
      this.shown = undefined;
      return this.tell({ ticket: this.ports.nextTicket(this.actor) });
    }
    if (this.waiting >= WAITING_MAX) return this.tell({ error: 'The page does not answer; what you did last was left out.' });
    const { data } = frame;
    this.waiting++;
    this.turn = this.turn.then(() => this.act(data)).finally(() => this.waiting--);
  }

  /** One picture at a time, and only where it is another one; what stands beside it each time. */
  private async look(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    try {
      await this.orSay(async (screen) => {
        const state = screen.state();
        this.tell({ state: { ...state, url: screen.session.url() } });
        // A run's own steps are not come between.
        if (!state.mayAct) return;
        const picture = await screen.session.screenshot({}, this.bounds());
        if (this.shown && Buffer.compare(this.shown, picture) === 0) return;
        this.shown = picture;
        if (!this.signal.aborted) this.socket.send(picture);
      });
    } finally {
      this.isLooking = false;
      this.tell({ looked: true });
    }
  }

  private async act(frame: ScreenFrame): Promise<void> {
    await this.orSay(async (screen) => {
      if ('discard' in frame) return await screen.discard();
      if (!screen.state().mayAct) throw new AppError('conflict', 'The run acts by itself now, and waits for nobody.');
      if ('done' in frame) return await screen.done(frame.done);
      if ('open' in frame) return await screen.open(frame.open);
      if ('act' in frame) await screen.session.input(frame.act, this.bounds());
    });
  }

  /** What is expected to go wrong is told in its own sentence. */
  private async orSay(work: (screen: Screen) => Promise<void>): Promise<void> {
    const screen = this.watched && this.ports.screens.find(this.watched.kind, this.watched.id);
    if (!screen) return this.tell({ ended: 'There is nothing left to act on: what was done here has ended.' });
    try {
      await work(screen);
    } catch (error) {
      if (!(error instanceof AppError || error instanceof PageError)) return this.tell({ error: 'Something unexpected failed.' });
      this.tell({ error: error.message });
    }
  }

  private bounds() {
    return { timeoutMs: ACT_MS, signal: this.signal };
  }

  private tell(message: object): void {
    if (!this.signal.aborted) this.socket.send(JSON.stringify(message));
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
