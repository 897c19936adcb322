// A build that acts as somebody: it goes out as they do, and nothing that they keep secret is read, kept or shown (D34).
import { maskBody, maskingFetcher } from '../mask/mask-page.ts';
import { createMasker } from '../mask/masker.ts';
import type { ViewReader, ViewWork, WorkName } from '../page/view-work.ts';
import { actingIn } from '../ports.ts';
import type { Acting, ActingValues } from '../ports.ts';
import type { BuildPorts } from './ports.ts';

type Asking = Pick<BuildPorts, 'fetcher' | 'robotsFor' | 'sessions' | 'views' | 'keepAnswer'>;

/** What of `ports` is another's for somebody; answers that hold a secret are not kept. */
export function actAs(ports: Asking, acting: Acting, { secrets }: Pick<ActingValues, 'secrets'>): Asking {
  const { robotsFor, sessions, keepAnswer } = ports;
  const masker = createMasker(secrets);
  const masking = maskingFetcher(ports.fetcher, secrets, ports.views);
  const own = actingIn(acting);
  return {
    fetcher: { fetch: (request, signal) => masking.fetch({ ...request, ...own }, signal) },
    robotsFor: (privateTargets) => robotsFor(privateTargets, acting.proxy),
    sessions: sessions && { open: (options, signal) => sessions.open({ ...options, ...own }, signal) },
    views: maskingReader(ports.views, masker),
    keepAnswer: async (sha256, bytes) => {
      // What holds none of them comes back as it is.
      if (masker.bytes(bytes) === bytes) await keepAnswer(sha256, bytes);
    },
  };
}

/** Pages of a browser come from it as they are: they are masked before they are read. */
function maskingReader(views: ViewReader, masker: ReturnType<typeof createMasker>): ViewReader {
  return {
    async run<Name extends WorkName>(work: Name, request: ViewWork[Name]['request'], signal: AbortSignal, caller?: string) {
      return await views.run(work, masked(request, masker), signal, caller);
    },
  };
}

function masked<Request extends object>(request: Request, masker: ReturnType<typeof createMasker>): Request {
  if (!('source' in request)) return request;
  const source = request.source as { readonly body: Uint8Array; readonly contentType: string | undefined };
  return { ...request, source: { ...source, ...maskBody(source, masker) } };
}
