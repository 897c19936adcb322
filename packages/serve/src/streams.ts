// Every open stream and WebSocket by its actor, so that a deleted key or a shutdown ends them at once (D14).

export interface StreamRegistry {
  /** Aborts when `closed` does, when the actor's streams are ended, or at shutdown. Forgotten when `closed` aborts. */
  signalFor(actorId: string, closed: AbortSignal): AbortSignal;
  /** Ends all streams of one actor. */
  endOf(actorId: string): void;
  endAll(): void;
  /** How many are open. */
  count(): number;
}

export function createStreamRegistry(): StreamRegistry {
  const open = new Map<AbortController, string>();
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
      if (closed.aborted) end();
      else closed.addEventListener('abort', end, { once: true });
      return controller.signal;
    },
    endOf: (actorId) => end((id) => id === actorId),
    endAll: () => end(() => true),
    count: () => open.size,
  };
}
