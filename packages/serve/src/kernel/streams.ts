// Every open stream and WebSocket by its actor, so that a deleted key or a shutdown ends them at once (D14).

export interface StreamRegistry {
  /** Aborts when `closed` does, when the actor's streams are ended, or at shutdown; aborted from the start after that. Forgotten when `closed` aborts. */
  signalFor(actorId: string, closed: AbortSignal): AbortSignal;
  /** Ends all streams of one actor. */
  endOf(actorId: string): void;
  /** Ends all streams, and those that are asked for later. */
  endAll(): void;
  /** How many are open. */
  count(): number;
}

export function createStreamRegistry(): StreamRegistry {
  const open = new Map<AbortController, string>();
  let isEnded = false;
  const end = (wanted: (actorId: string) => boolean) => {
    for (const [controller, actorId] of open) if (wanted(actorId)) controller.abort();
  };
  return {
    signalFor(actorId, closed) {
      const controller = new AbortController();
      open.set(controller, actorId);
      const end = () => {
        open.delete(controller);
        controller.abort();
      };
      if (closed.aborted || isEnded) end();
      else closed.addEventListener('abort', end, { once: true });
      return controller.signal;
    },
    endOf: (actorId) => end((id) => id === actorId),
    endAll() {
      isEnded = true;
      end(() => true);
    },
    count: () => open.size,
  };
}
