// The model that the settings name: made with its key behind it, which is looked up when a question is sent and kept nowhere.
import { AppError } from '@weft/contract';
import type { HealthPart } from '@weft/contract';
import { createModel } from '@weft/engine/io';
import type { OpenModel } from '@weft/engine/io';
import type { AgentClock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Secrets } from '../secrets/secret.ts';
import type { Settings } from '../settings.ts';

/** What a model is made of. */
export interface ModelNounPorts {
  readonly settings: Pick<Settings, 'models' | 'model'>;
  readonly config: Pick<Config, 'modelKey' | 'userAgent' | 'port'>;
  readonly secrets: Pick<Secrets, 'valueFor'>;
  readonly clock: AgentClock;
}

/** The model in use; undefined where the settings name none. Nothing is sent before it is asked. */
export function openNamedModel({ settings, config, secrets, clock }: ModelNounPorts): OpenModel | undefined {
  const { models, model: name } = settings;
  const setting = name === undefined || !Object.hasOwn(models, name) ? undefined : models[name];
  if (name === undefined || !setting) return undefined;
  const { url: baseUrl, format, secret } = setting;
  const { origin } = new URL(baseUrl);
  return createModel({
    name,
    setting: {
      format,
      baseUrl,
      model: setting.name,
      bounds: {
        timeoutMs: setting.timeout_seconds * 1000,
        inputTokensMax: setting.input_tokens_max,
        outputTokensMax: setting.output_tokens_max,
      },
    },
    // A secret goes to an origin that it is bound to and no other, as everywhere (D34).
    key: async () => (secret === undefined ? config.modelKey() : secrets.valueFor(secret, origin)),
    userAgent: config.userAgent,
    ownPorts: config.port === 0 ? [] : [config.port, config.port + 1],
    clock,
  });
}

/** What people are told of the model: which one it is, and what is lacking before it can be asked. Nothing is sent for it. */
export function healthOfModel({
  settings,
  config,
  secrets,
}: Pick<ModelNounPorts, 'settings' | 'config'> & { readonly secrets: Pick<Secrets, 'require'> }): HealthPart {
  const { models, model: name } = settings;
  const setting = name === undefined || !Object.hasOwn(models, name) ? undefined : models[name];
  if (name === undefined || !setting)
    return { name: 'model', status: 'ok', message: 'None is named; steps and builds that need one say so.' };
  const { url, secret } = setting;
  const what = `${name} (${setting.name}) at ${url}`;
  const { origin } = new URL(url);
  const fix = `weft secret set ${secret ?? 'KEY'} --origin ${origin}`;
  if (secret === undefined)
    return {
      name: 'model',
      status: 'ok',
      message: `${what}, ${config.modelKey() === undefined ? 'without a key' : 'its key from SERVICE_MODEL_KEY'}.`,
    };
  try {
    if (secrets.require(secret).origins.includes(origin))
      return { name: 'model', status: 'ok', message: `${what}, its key in the secret ${secret}.` };
    return { name: 'model', status: 'warn', message: `${what} can't be asked: the secret ${secret} is not for ${origin}.`, fix };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { name: 'model', status: 'warn', message: `${what} can't be asked: there is no secret ${secret}.`, fix };
  }
}
