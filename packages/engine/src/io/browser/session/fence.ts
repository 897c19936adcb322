// Holds what pages of one context send to a rule that can change from act to act.
import type { BrowserContext, Request, Route } from 'playwright-core';
import type { AskedByPage } from '../../../run/session.ts';

type Rule = (asked: AskedByPage) => boolean;

const ALL = '**/*';
const BODY_CHARS_MAX = 100_000;

/** The fence of a context; it lets everything through until it is set. */
export class PageFence {
  private readonly context: BrowserContext;
  private rule: Rule | undefined;
  private hasSockets = false;

  constructor(context: BrowserContext) {
    this.context = context;
  }

  /** From now on `rule` holds; undefined takes the fence away. */
  async set(rule: Rule | undefined): Promise<void> {
    const had = this.rule;
    this.rule = rule;
    if (rule && !this.hasSockets) {
      this.hasSockets = true;
      await this.context.routeWebSocket(/./, (socket) => {
        if (this.allows({ method: 'GET', url: socket.url(), kind: 'socket', body: undefined })) socket.connectToServer();
        else void socket.close({ code: 1008 }).catch(() => undefined);
      });
    }
    if (rule && !had) await this.context.route(ALL, this.decide);
    if (!rule && had) await this.context.unroute(ALL, this.decide);
  }

  /** Whether a redirect may lead a tab there. */
  mayOpen(url: string): boolean {
    return this.allows({ method: 'GET', url, kind: 'document', body: undefined });
  }

  private readonly decide = async (route: Route): Promise<void> => {
    const request = route.request();
    const asked = askedIn(request);
    // Its page may be gone by now. A document that is `aborted` leaves the tab where it is.
    if (this.allows(asked)) await route.continue().catch(() => undefined);
    else await route.abort(asked.kind === 'document' ? 'aborted' : 'blockedbyclient').catch(() => undefined);
  };

  private allows(asked: AskedByPage): boolean {
    return this.rule === undefined || this.rule(asked);
  }
}

function askedIn(request: Request): AskedByPage {
  const body = request.postDataBuffer()?.subarray(0, BODY_CHARS_MAX).toString('utf8');
  return { method: request.method(), url: request.url(), kind: kindOf(request), body };
}

function kindOf(request: Request): AskedByPage['kind'] {
  if (request.isNavigationRequest()) return isOfTab(request) ? 'document' : 'frame';
  const type = request.resourceType();
  if (type === 'ping' || type === 'cspviolationreport') return 'ping';
  return type === 'xhr' || type === 'fetch' || type === 'eventsource' ? 'script' : 'other';
}

/** The frame of the first document of a tab is unknown for a moment. */
function isOfTab(request: Request): boolean {
  try {
    return request.frame().parentFrame() === null;
  } catch {
    return true;
  }
}
