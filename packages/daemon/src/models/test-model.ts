// Asks the model in use one small question, and says what came of it and what to do where nothing did.
import type { ModelTest } from '@weft/contract';
import { ModelError } from '@weft/engine';
import type { Clock, Model, ModelFailure, ModelQuestion, ModelSpending } from '@weft/engine';
import type { Settings } from '../settings.ts';

export interface ModelTestPorts {
  readonly settings: Pick<Settings, 'models' | 'model'>;
  /** Undefined where the settings name none. */
  readonly model: Model | undefined;
  readonly clock: Clock & { steadyMs(): number };
}

/** Nothing that a page or a person wrote is in it. */
const QUESTION: ModelQuestion = {
  name: 'sum',
  system: 'You answer with JSON alone.',
  text: 'How much is 2 and 2? Answer with an object whose member "sum" is the number.',
  schema: { type: 'object', additionalProperties: false, required: ['sum'], properties: { sum: { type: 'number' } } },
  bounds: { outputTokensMax: 200 },
};

const NONE: ModelTest = {
  status: 'failed',
  latency_ms: 0,
  requests: 0,
  tokens_in: 0,
  tokens_out: 0,
  tokens_estimated: false,
  failure: {
    reason: 'none',
    message: 'No model is named, so there is none to ask.',
    fix: 'Name one under "models" and "model" in config.json (docs/models.md), and restart the agent.',
  },
};

/** Throws PageError `aborted`. */
export async function testModel({ settings, model, clock }: ModelTestPorts, signal: AbortSignal): Promise<ModelTest> {
  const { models, model: name } = settings;
  const setting = name === undefined ? undefined : models[name];
  if (!model || name === undefined || !setting) return NONE;
  const startedMs = clock.steadyMs();
  const told = (spent: ModelSpending) => ({
    provider: setting.format,
    model: model.label,
    url: setting.url,
    latency_ms: Math.round(clock.steadyMs() - startedMs),
    requests: spent.requests,
    tokens_in: spent.inputTokens,
    tokens_out: spent.outputTokens,
    tokens_estimated: spent.isEstimated,
  });
  try {
    const { mode, spent } = await model.ask(QUESTION, signal);
    return { ...told(spent), status: 'succeeded', mode };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const { reason, message, spent } = error;
    return { ...told(spent), status: 'failed', failure: { reason, message, fix: fixOf(reason, name, setting) } };
  }
}

type Setting = Settings['models'][string];

function fixOf(reason: ModelFailure, name: string, { url, secret, timeout_seconds: seconds }: Setting): string {
  const member = `"models.${name}`;
  const { origin } = new URL(url);
  switch (reason) {
    case 'unreachable':
      return `Start what answers at ${url}, or mend ${member}.url" in config.json and restart the agent.`;
    case 'key':
      return secret === undefined
        ? `Name a secret in ${member}.secret" and set it: weft secret set KEY --origin ${origin}`
        : `Set its key again: weft secret set ${secret} --origin ${origin}`;
    case 'refused':
      return `Look whether ${member}.name" is a model of that endpoint, and ${member}.format" is what it speaks.`;
    case 'rate_limited':
    case 'server_error':
      return 'Try again in some minutes; nothing here mends it.';
    case 'timeout':
      return `Take a faster model, or raise ${member}.timeout_seconds", which is ${seconds}.`;
    case 'too_long':
      return `Raise ${member}.input_tokens_max": this question is the smallest.`;
    case 'length':
      return `Raise ${member}.output_tokens_max", or take a model that thinks less before it answers.`;
    case 'cut':
    case 'too_large':
    case 'declined':
    case 'malformed':
    case 'misfit':
      return 'Take another model: this one does not answer in the form that is asked for.';
  }
}
