// Group Agent.
import { AgentStatus, Health } from '../resources/agent.ts';
import type { OperationGroup } from '../operation.ts';
import { json } from '../replies.ts';
import { DAEMON_SCOPES } from './scopes.ts';

export const agent = {
  status: {
    id: 'agent.status',
    method: 'GET',
    path: '/v1/agent',
    summary: 'light agent status',
    scopes: DAEMON_SCOPES['GET /v1/agent'],
    replies: { 200: json(AgentStatus, 'The agent is running.') },
  },
  health: {
    id: 'agent.health',
    method: 'GET',
    path: '/v1/health',
    summary: 'deep health probe',
    scopes: DAEMON_SCOPES['GET /v1/health'],
    replies: { 200: json(Health, 'Every part with its state; a failing part says how to mend it.') },
  },
} as const satisfies OperationGroup;
