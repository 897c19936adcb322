// Group Models.
import type { ExtraTable } from '@weft/contract';
import type { GroupHandlers } from '@weft/serve';
import { testModel } from './test-model.ts';
import type { ModelTestPorts } from './test-model.ts';

export function modelHandlers(ports: ModelTestPorts): GroupHandlers<ExtraTable['models']> {
  return { test: async ({ signal }) => ({ status: 200, body: await testModel(ports, signal) }) };
}
