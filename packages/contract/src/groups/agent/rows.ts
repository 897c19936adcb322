// Group Agent.
import { AgentStatus, Health } from './agent.ts';
import type { OperationGroup } from '../../operation.ts';
import { json } from '../../replies.ts';

export const agent = {
  status: {
    id: 'agent.status',
    method: 'GET',
    path: '/v1/agent',
    summary: 'light agent status',
    scopes: ['read', 'run'],
    replies: { 200: json(AgentStatus, 'The agent is running.') },
  },
  health: {
    id: 'agent.health',
    method: 'GET',
    path: '/v1/health',
    summary: 'deep health probe',
    scopes: ['read', 'run'],
    replies: { 200: json(Health, 'Every part with its state; a failing part says how to mend it.') },
  },
} as const satisfies OperationGroup;
