// A Next.js application: lists and details that the server renders, and the same that the browser fetches.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { App } from '../app.ts';
import { articles } from '../content.ts';
import { pathWithOwnNode, run } from '../packages.ts';

const PLANTS = articles(24);
const BINARY = 'node_modules/next/dist/bin/next';
const ENVIRONMENT = { NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' };

export const NEXT: App = {
  name: 'next',
  software: 'Next.js',
  port: 8443,
  needs: { npm: { next: '16.4.6', react: '19.3.1', 'react-dom': '19.3.1' } },
  package: 'next',
  source: import.meta.filename,
  inner: '/plants/bean',
  content: 'main',
  needsBrowser: true,
  async install(place) {
    for (const folder of ['app', 'data', '.next']) rmSync(join(place.folder, folder), { recursive: true, force: true });
    for (const [path, text] of Object.entries(SOURCES)) {
      mkdirSync(dirname(join(place.folder, path)), { recursive: true });
      writeFileSync(join(place.folder, path), text);
    }
    await run(process.execPath, [BINARY, 'build'], { cwd: place.folder, env: { ...ENVIRONMENT, PATH: pathWithOwnNode() } });
  },
  async start(place, listen, programs) {
    programs.start(process.execPath, [BINARY, 'start', '--hostname', listen.host, '--port', String(listen.port)], {
      cwd: place.folder,
      env: ENVIRONMENT,
    });
    await programs.answers(`http://${listen.host}:${listen.port}/`);
  },
  truth: async () =>
    ['/', '/about', '/plants', '/live', ...PLANTS.flatMap(({ slug }) => [`/plants/${slug}`, `/live/${slug}`])].map((path) => ({
      path,
    })),
};

const PLANT = `<article><h1>{plant.title}</h1>{plant.paragraphs.map((text) => <p key={text}>{text}</p>)}<h2>Tools</h2><table><thead><tr><th>Tool</th><th>Use</th><th>Weeks</th></tr></thead><tbody>{plant.tools.map((tool) => <tr key={tool.name}><td>{tool.name}</td><td>{tool.use}</td><td>{tool.weeks}</td></tr>)}</tbody></table><ol>{plant.steps.map((step) => <li key={step}>{step}</li>)}</ol></article>`;
const FETCHED = `'use client';\nimport { use, useEffect, useState } from 'react';\nimport Link from 'next/link';\n`;

const SOURCES: Readonly<Record<string, string>> = {
  'data/plants.json': JSON.stringify(PLANTS),
  'app/layout.jsx': `import Link from 'next/link';
export const metadata = { title: { default: 'Garden', template: '%s | Garden' } };
export default function Layout({ children }) {
  return <html lang="en"><body><header><nav><Link href="/">Garden</Link> <Link href="/plants">Plants</Link> <Link href="/live">Live</Link> <Link href="/about">About</Link></nav></header><main>{children}</main><footer>Grown with care, 2024</footer></body></html>;
}
`,
  'app/page.jsx': `export default function Page() { return <><h1>Garden</h1><p>What grows here, bed by bed, rendered by the server and fetched by the browser.</p></>; }\n`,
  'app/about/page.jsx': `export const metadata = { title: 'About' };\nexport default function Page() { return <><h1>About</h1><p>The garden is open from April to October, and the gate is on the west side.</p></>; }\n`,
  'app/plants/page.jsx': `import Link from 'next/link';
import plants from '../../data/plants.json';
export const metadata = { title: 'Plants' };
export default function Page() { return <><h1>Plants</h1><ul>{plants.map((plant) => <li key={plant.slug}><Link href={'/plants/' + plant.slug}>{plant.title}</Link></li>)}</ul></>; }
`,
  'app/plants/[slug]/page.jsx': `import plants from '../../../data/plants.json';
export function generateStaticParams() { return plants.map(({ slug }) => ({ slug })); }
export default async function Page({ params }) {
  const { slug } = await params;
  const plant = plants.find((each) => each.slug === slug);
  return ${PLANT};
}
`,
  'app/api/plants/route.js': `import plants from '../../../data/plants.json';\nexport function GET() { return Response.json(plants.map(({ title, slug }) => ({ title, slug }))); }\n`,
  'app/api/plants/[slug]/route.js': `import plants from '../../../../data/plants.json';\nexport async function GET(request, { params }) { const { slug } = await params; return Response.json(plants.find((plant) => plant.slug === slug)); }\n`,
  'app/live/page.jsx': `${FETCHED}export default function Page() {
  const [plants, setPlants] = useState([]);
  useEffect(() => { fetch('/api/plants').then((answer) => answer.json()).then(setPlants); }, []);
  return <><h1>Live</h1>{plants.length === 0 && <p>Loading ...</p>}<ul>{plants.map((plant) => <li key={plant.slug}><Link href={'/live/' + plant.slug}>{plant.title}</Link></li>)}</ul></>;
}
`,
  'app/live/[slug]/page.jsx': `${FETCHED}export default function Page({ params }) {
  const { slug } = use(params);
  const [plant, setPlant] = useState();
  useEffect(() => { fetch('/api/plants/' + slug).then((answer) => answer.json()).then(setPlant); }, [slug]);
  if (!plant) return <p>Loading ...</p>;
  return <>${PLANT}<p><Link href="/live">All</Link></p></>;
}
`,
};
