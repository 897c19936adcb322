// Beyond the specification: whether the model that the settings name can be asked.
import type { OperationGroup } from '../../operation.ts';
import { json } from '../../replies.ts';
import { ModelTest } from './model-test.ts';

export const models = {
  test: {
    id: 'models.test',
    method: 'POST',
    path: '/x/models/test',
    summary: 'ask the model in use one small question, which costs a few tokens',
    scopes: ['admin'],
    replies: { 200: json(ModelTest, 'What came of it; a failure is an answer too.') },
  },
} as const satisfies OperationGroup;
