// Group Agent.
import type { DaemonTable } from '@weft/contract';
import type { GroupHandlers } from '@weft/serve';
import type { AgentPorts } from './agent.ts';
import { readHealth, readStatus } from './agent.ts';

export function agentHandlers(ports: AgentPorts): GroupHandlers<DaemonTable['agent']> {
  return {
    status: () => ({ status: 200, body: readStatus(ports) }),
    health: () => ({ status: 200, body: readHealth(ports) }),
  };
}
