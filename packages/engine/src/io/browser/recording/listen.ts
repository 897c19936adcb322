// Listens to a browser context: every frame of every page tells what a person does there.
import type { BrowserContext, CDPSession, Frame, Page as Tab } from 'playwright-core';
import type { ToldAct, ToldEvent } from '../../../run/recording/told.ts';
import { RECORDER_SCRIPT, RECORDER_TELLS, RECORDER_WORLD } from './recorder-script.ts';

/** What listens. */
export interface Listening {
  /** Listens to one more page; resolves when it hears everything. */
  follow(tab: Tab): Promise<void>;
  /** Tells what is half done: a text that was typed and not left. */
  flush(): Promise<void>;
}

/** Tells `hear` what happens in the pages of `context` that are followed, in order. */
export function listen(context: BrowserContext, hear: (event: ToldEvent) => void): Listening {
  return new Listener(context, hear);
}

class Listener implements Listening {
  private readonly context: BrowserContext;
  private readonly hear: (event: ToldEvent) => void;
  private readonly worlds = new Set<() => Promise<void>>();
  private turn: Promise<void> = Promise.resolve();

  constructor(context: BrowserContext, hear: (event: ToldEvent) => void) {
    this.context = context;
    this.hear = hear;
  }

  async flush(): Promise<void> {
    for (const flush of this.worlds) await flush();
    await this.turn;
  }

  async follow(tab: Tab): Promise<void> {
    let isAsked = false;
    let isOpened = (await tab.opener()) !== null;
    tab.on('download', (download) => this.say({ kind: 'download', name: download.suggestedFilename() }));
    tab.on('framenavigated', (frame) => {
      if (frame !== tab.mainFrame()) void this.listenTo(frame, tab);
    });
    const session = await this.listenTo(tab.mainFrame(), tab);
    session?.on('Page.frameRequestedNavigation', ({ disposition }) => {
      if (disposition === 'currentTab') isAsked = true;
    });
    // Of documents alone: addresses that scripts write into the one that is there come of acts.
    session?.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId !== undefined) return;
      const url = frame.url + (frame.urlFragment ?? '');
      // Where the page itself asked for it, or opened the window, an act is what leads there.
      if (/^https?:/.test(url) && !isAsked && !isOpened) this.say({ kind: 'navigate', url });
      isAsked = false;
      isOpened = false;
    });
  }

  private say(event: ToldEvent): void {
    this.order(async () => this.hear(event));
  }

  /** A frame of another process has a session of its own; the others tell through that of their page. */
  private async listenTo(frame: Frame, tab: Tab): Promise<CDPSession | undefined> {
    const isMain = frame === tab.mainFrame();
    const session = await this.context.newCDPSession(isMain ? tab : frame).catch(() => undefined);
    if (!session) return undefined;
    const places = new Map<number, Promise<readonly number[]>>();
    session.on('Runtime.executionContextCreated', ({ context }) => {
      const { frameId } = context.auxData as { frameId?: string };
      if (context.name === RECORDER_WORLD && frameId !== undefined) places.set(context.id, framePath(frameId, session));
    });
    session.on('Runtime.executionContextDestroyed', ({ executionContextId }) => void places.delete(executionContextId));
    session.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
      const place = places.get(executionContextId);
      if (name !== RECORDER_TELLS || !place) return;
      const target = this.targetOf(tab);
      this.order(async () => {
        // Written by RECORDER_SCRIPT alone, whose world no page can reach.
        const told = JSON.parse(payload) as Omit<ToldAct, 'frame' | 'target'>;
        this.hear({ ...told, frame: [...placeOfFrame(frame), ...(await place)], target });
      });
    });
    try {
      await session.send('Page.enable');
      await session.send('Runtime.enable');
      await session.send('Runtime.addBinding', { name: RECORDER_TELLS, executionContextName: RECORDER_WORLD });
      await session.send('Page.addScriptToEvaluateOnNewDocument', {
        source: RECORDER_SCRIPT,
        worldName: RECORDER_WORLD,
        runImmediately: true,
      });
    } catch {
      if (!tab.isClosed())
        this.say({
          kind: 'unheard',
          message: `The frame ${frame.url().slice(0, 200)} can't be listened to, and nothing in it is recorded.`,
        });
      return undefined;
    }
    this.worlds.add(async () => {
      for (const contextId of places.keys())
        await session.send('Runtime.evaluate', { contextId, expression: 'globalThis.weftRecorder?.flush()' }).catch(() => undefined);
    });
    return session;
  }

  /** Undefined for the newest page. */
  private targetOf(tab: Tab): string | undefined {
    const pages = this.context.pages();
    if (tab === pages.at(-1)) return undefined;
    return tab === pages[0] ? 'main' : tab.url().replace(/[?#].*$/s, '');
  }

  /** One after another, in the order in which they were told. */
  private order(work: () => Promise<void>): void {
    this.turn = this.turn.then(work).catch(() => this.hear({ kind: 'unheard', message: 'An act is left out: it could not be read.' }));
  }
}

/** The places of a frame below the one that `session` is of. */
async function framePath(frameId: string, session: CDPSession): Promise<readonly number[]> {
  const { frameTree } = await session.send('Page.getFrameTree');
  const find = (tree: typeof frameTree, path: readonly number[]): readonly number[] | undefined => {
    if (tree.frame.id === frameId) return path;
    for (const [place, child] of (tree.childFrames ?? []).entries()) {
      const found = find(child, [...path, place]);
      if (found) return found;
    }
    return undefined;
  };
  return find(frameTree, []) ?? [];
}

function placeOfFrame(frame: Frame): readonly number[] {
  const parent = frame.parentFrame();
  return parent ? [...placeOfFrame(parent), parent.childFrames().indexOf(frame)] : [];
}
