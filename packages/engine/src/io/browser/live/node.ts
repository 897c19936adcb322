// Acts on a node of a copy: Playwright looks it up in the act itself, which saves half of the messages that a handle costs.
import type { ElementHandle, Frame } from 'playwright-core';
import { handleOf, requestOf } from './find.ts';
import type { LiveElement } from './find.ts';
import { isGone, selectorOf } from './page-world.ts';

/** The node has left the page, or the copy that it was found in holds no more. */
export class NodeGone extends Error {}

/** A node that an act is done to, once. */
export class LiveNode {
  private readonly live: LiveElement;
  private held: ElementHandle | undefined;

  constructor(live: LiveElement) {
    this.live = live;
  }

  /** Throws NodeGone. */
  async handle(): Promise<ElementHandle> {
    this.held ??= await handleOf(this.live);
    if (!this.held) throw new NodeGone();
    return this.held;
  }

  async click(options: Parameters<ElementHandle['click']>[0]): Promise<void> {
    await this.act(
      (frame, selector) => frame.click(selector, options),
      (handle) => handle.click(options),
    );
  }

  async hover(options: Parameters<ElementHandle['hover']>[0]): Promise<void> {
    await this.act(
      (frame, selector) => frame.hover(selector, options),
      (handle) => handle.hover(options),
    );
  }

  async fill(value: string, options: Parameters<ElementHandle['fill']>[1]): Promise<void> {
    await this.act(
      (frame, selector) => frame.fill(selector, value, options),
      (handle) => handle.fill(value, options),
    );
  }

  dispose(): void {
    this.held?.dispose().catch(() => undefined);
  }

  /** What is in a frame inside of the one that was read is acted on in its own. */
  private async act(
    bySelector: (frame: Frame, selector: string) => Promise<void>,
    byHandle: (handle: ElementHandle) => Promise<void>,
  ): Promise<void> {
    const request = requestOf(this.live);
    if (request?.isFramed !== false) return await byHandle(await this.handle());
    try {
      await bySelector(this.live.copy.frame, selectorOf(request));
    } catch (error) {
      throw isGone(error) ? new NodeGone() : error;
    }
  }
}
