// The pace that one crawl asks for itself: it waits for that in a line of its own, so that nobody else who asks the host waits with it.
import type { HostGate, HostLimits } from '@weft/engine';

/** `gate`, for a crawl that wants longer gaps than its hosts do. `name` tells its lines from those of others. */
export function ownPace(gate: HostGate, name: string): HostGate {
  return {
    learnGap: (host, ownGapMs) => gate.learnGap(host, ownGapMs),
    restOf: (host) => gate.restOf(host),
    async take(host, limits, signal, onWait) {
      if (limits.gapMs === 0) return await gate.take(host, limits, signal, onWait);
      let hasWaited = false;
      const wait = () => {
        if (!hasWaited) onWait?.();
        hasWaited = true;
      };
      const own = await gate.take(`${name} ${host}`, limits, signal, wait);
      if (!own) return undefined;
      const shared = await gate.take(host, withoutGap(limits), signal, wait);
      if (!shared) {
        await own.giveBack();
        return undefined;
      }
      return {
        async end(answer) {
          await shared.end(answer);
          // What the host said is kept in its own line, for all.
          await own.end({ status: undefined, retryAtMs: undefined });
        },
        async giveBack() {
          await shared.giveBack();
          await own.giveBack();
        },
      };
    },
  };
}

/** What the host itself asks for is known in its line. */
function withoutGap(limits: HostLimits): HostLimits {
  return { ...limits, gapMs: 0 };
}
