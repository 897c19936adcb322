// How to bring each operation of agent to each status that it declares.
import type { Reach } from '../ways.ts';
import { get, plain } from '../ways.ts';

export const reach: Readonly<Record<string, Reach>> = {
  'agent.status': { base: get('/v1/agent'), ways: { 200: plain(get('/v1/agent')) } },
  'agent.health': { base: get('/v1/health'), ways: { 200: plain(get('/v1/health')) } },
};
