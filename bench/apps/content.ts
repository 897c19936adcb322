// The words that we put into other people's software: articles about a garden, the same each time.

/** One article; `index` tells them apart. */
export interface Article {
  readonly title: string;
  /** Lower case, for an address. */
  readonly slug: string;
  readonly paragraphs: readonly string[];
  readonly tools: readonly { readonly name: string; readonly use: string; readonly weeks: number }[];
  readonly steps: readonly string[];
}

const PLANTS =
  'Apple Bean Beetroot Blackberry Broccoli Cabbage Carrot Celery Cherry Chervil Chicory Cress Cucumber Currant Dill Fennel Garlic Gooseberry Kale Kohlrabi Leek Lettuce Lovage Marjoram Marrow Medlar Melon Mint Onion Oregano Parsley Parsnip Pea Pear Pepper Plum Potato Pumpkin Quince Radish Raspberry Rhubarb Rosemary Sage Savory Sorrel Spinach Squash Strawberry Tarragon Thyme Tomato Turnip Walnut'.split(
    ' ',
  );
const TOOLS = ['Spade', 'Fork', 'Rake', 'Hoe', 'Trowel', 'Shears', 'Barrow', 'Sieve', 'Dibber', 'Line'];
const OPENINGS = [
  'Sow {plant} in the open once the soil has warmed and no longer clings to the boots.',
  'Most growers lose their first {plant} to impatience rather than to frost.',
  'A bed that carried {plant} last year should carry something else this year.',
  'Old books praise {plant} for the kitchen and say little about the work it takes.',
];
const MIDDLES = [
  'Water in the morning, at the foot of the plant, and leave the leaves dry.',
  'A finger deep is enough for the seed, and two hands apart is enough for the rows.',
  'Compost from the year before keeps the ground open and feeds it until autumn.',
  'When the second pair of leaves shows, thin the row and keep the strongest.',
  'Slugs come at dusk, so a board laid between the rows gathers them for the morning.',
  'Where the wind is steady, a low hedge does more than a high wall.',
  'The harvest is ready when the skin gives a little under the thumb.',
  'Keep what you store dark, cool and dry, and look at it every second week.',
];

/** `count` articles, at most one for each plant. */
export function articles(count: number): readonly Article[] {
  return PLANTS.slice(0, count).map((plant, index) => ({
    title: plant,
    slug: plant.toLowerCase(),
    paragraphs: Array.from({ length: 2 + (index % 4) }, (_, at) => paragraph(plant, index * 7 + at * 3)),
    tools: Array.from({ length: 3 + (index % 3) }, (_, at) => ({
      name: pick(TOOLS, index + at * 3),
      use: pick(MIDDLES, index + at)
        .slice(0, 40)
        .replace(/\W+\w*$/, ''),
      weeks: 2 + ((index * 5 + at * 3) % 11),
    })),
    steps: Array.from({ length: 3 + (index % 4) }, (_, at) => pick(MIDDLES, index * 3 + at)),
  }));
}

function paragraph(plant: string, seed: number): string {
  const opening = pick(OPENINGS, seed).replace('{plant}', plant.toLowerCase());
  const rest = Array.from({ length: 3 }, (_, at) => pick(MIDDLES, seed + at * 5));
  return [
    opening,
    ...rest,
    `In week ${1 + (seed % 52)} of the year, ${plant.toLowerCase()} number ${seed + 1} was noted in the garden book.`,
  ].join(' ');
}

function pick<T>(list: readonly T[], index: number): T {
  const found = list[index % list.length];
  if (found === undefined) throw new Error('an empty list has nothing to pick');
  return found;
}

/** An article as Markdown: prose, a table, numbered steps and a code block; `next` is a link to the one after it. */
export function asMarkdown(article: Article, next: string): string {
  return [
    `# ${article.title}`,
    ...article.paragraphs,
    '## Tools',
    [
      '| Tool | Use | Weeks |',
      '| --- | --- | --- |',
      ...article.tools.map(({ name, use, weeks }) => `| ${name} | ${use} | ${weeks} |`),
    ].join('\n'),
    '## Steps',
    article.steps.map((step, index) => `${index + 1}. ${step}`).join('\n'),
    '## Watering',
    `\`\`\`js\nfor (let week = 0; week < ${article.tools[0]?.weeks ?? 4}; week++) {\n  water('${article.slug}', week);\n}\n\`\`\``,
    next,
  ].join('\n\n');
}
