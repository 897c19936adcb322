// Makes the model that settings name, with a way out of its own: its gate lets that one address through, private or not, and nothing else.
import type { CrawlClock } from '../../crawl/crawl-ports.ts';
import { PageError } from '../../errors.ts';
import type { Model, ModelBounds } from '../../model/model.ts';
import { createAddressGate } from '../gate/gate.ts';
import type { AddressGate, AddressPolicy } from '../gate/gate.ts';
import { systemClock } from '../clock.ts';
import { createHttpFetcher } from '../http/fetcher.ts';
import { CHAT_COMPLETIONS } from './chat-completions.ts';
import { createModelClient } from './client.ts';
import { MESSAGES } from './messages.ts';
import type { WireFormat } from './wire.ts';

/** The formats by their names in settings. */
const FORMATS = { openai: CHAT_COMPLETIONS, anthropic: MESSAGES } as const satisfies Record<string, WireFormat>;

/** A model as settings name it. */
export interface ModelSetting {
  /** Any endpoint of chat completions, or Anthropic's messages. */
  readonly format: keyof typeof FORMATS;
  /** `https://api.openai.com/v1`, `https://api.anthropic.com`, `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  /** What the endpoint calls it. */
  readonly model: string;
  readonly bounds?: Partial<ModelBounds> | undefined;
}

/** What a program gives a model. */
export interface ModelOptions {
  /** Its name in the settings. */
  readonly name: string;
  readonly setting: ModelSetting;
  /** As in ModelPorts. */
  readonly key: () => Promise<string | undefined>;
  readonly userAgent: string;
  /** Of the program's own servers, which are not reached. */
  readonly ownPorts?: readonly number[] | undefined;
  readonly resolve?: AddressPolicy['resolve'];
  readonly clock?: CrawlClock | undefined;
  readonly random?: (() => number) | undefined;
}

/** The bounds of a question where the settings say nothing else. */
export const MODEL_BOUNDS: ModelBounds = {
  inputTokensMax: 16_000,
  outputTokensMax: 4_000,
  answerBytesMax: 1_000_000,
  timeoutMs: 120_000,
  triesMax: 4,
};

/** A model, and the sockets behind it. */
export interface OpenModel extends Model {
  close(): Promise<void>;
}

/** The model of a setting. Nothing is sent before it is asked. */
export function createModel(options: ModelOptions): OpenModel {
  const { name, setting, key, userAgent, clock = systemClock, random = Math.random } = options;
  const fetcher = createHttpFetcher({ gate: gateOf(options), userAgent, clock });
  const { baseUrl, model, format, bounds } = setting;
  const target = { name, model, baseUrl, format: FORMATS[format], bounds: { ...MODEL_BOUNDS, ...bounds } };
  return { ...createModelClient(target, { fetcher, clock, random, key }), close: () => fetcher.close() };
}

/** Lets the setting's own host and port through, where it is (D31), and refuses to carry questions and a key in the clear over the internet. */
function gateOf({ setting, ownPorts, resolve }: ModelOptions): AddressGate {
  const { host, port, protocol } = new URL(setting.baseUrl);
  const named = port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host;
  const gate = createAddressGate({
    mode: 'public',
    privateTargets: [named],
    ...(ownPorts ? { ownPorts } : {}),
    ...(resolve ? { resolve } : {}),
  });
  return {
    async check(url, visit, signal) {
      const target = await gate.check(url, visit, signal);
      if (target.reach === 'public' && target.url.protocol === 'http:')
        throw new PageError(
          'address',
          `${target.url.origin} is on the internet, and a model there is asked over https alone. Write https in its address.`,
          {
            url: target.url.origin,
          },
        );
      return target;
    },
  };
}
