// What a model that a test scripts says at a step of a walk, by what it is shown.
import type { AskedModel, ModelReply } from './sites/model-server.ts';

/** A call of a tool. */
export function call(tool: string, ref = '', text = '', enter = false): ModelReply {
  return { text: JSON.stringify({ tool, ref, text, enter }) };
}

/** A call on the first element whose line holds `words`. */
export function callOn(asked: AskedModel, tool: string, words: string, text = '', enter = false): ModelReply {
  const line = linesOf(asked).find((each) => /^\[e\d+\]/.test(each) && each.includes(words)) ?? '';
  return call(tool, /^\[(e\d+)\]/.exec(line)?.[1] ?? `no element with ${words}`, text, enter);
}

/** The lines of the page that a question shows. */
export function linesOf({ text }: AskedModel): readonly string[] {
  const data = /<data-(\w+)>\n([^]*)\n<\/data-\1>/.exec(text)?.[2] ?? '{"page":[]}';
  return (JSON.parse(data) as { readonly page: readonly string[] }).page;
}
