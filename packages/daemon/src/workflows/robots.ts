// What robots rules say of what a run opens: told, and in nobody's way (D30).
import { reportRobots } from '@weft/engine';
import type { Acting, AskingPorts, WorkflowPorts } from '@weft/engine';

/** Reports for a run that may reach these private addresses, by its own way out. */
export function robotsOf(asking: AskingPorts, privateTargets: readonly string[], { proxy }: Acting): WorkflowPorts['robots'] {
  const { clock, agent } = asking;
  const robots = asking.robotsFor(privateTargets, proxy);
  return async (url, signal) => await reportRobots(url, { robots, clock, agent }, signal);
}
