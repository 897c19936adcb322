// A Vue application with Vue Router, built by Vite: once with history routes and once with hash routes; its data is fetched.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { App, Page, Place } from '../app.ts';
import { articles } from '../content.ts';
import { NGINX, filesBelow, startNginx } from '../nginx.ts';
import { pathWithOwnNode, run } from '../packages.ts';

const PLANTS = articles(24);
const PER_PAGE = 8;
const builtOf = (place: Place) => join(place.folder, 'dist');

export const VUE_HISTORY: App = vue({
  name: 'vue-history',
  software: 'Vue, history routes',
  port: 8441,
  prefix: '/',
  history: 'createWebHistory',
});
export const VUE_HASH: App = vue({
  name: 'vue-hash',
  software: 'Vue, hash routes',
  port: 8442,
  prefix: '/#/',
  history: 'createWebHashHistory',
});

interface Variant extends Pick<App, 'name' | 'software' | 'port'> {
  readonly prefix: string;
  readonly history: string;
}

function vue({ prefix, history, ...rest }: Variant): App {
  return {
    ...rest,
    needs: { npm: { vue: '3.5.45', 'vue-router': '5.5.1', vite: '8.3.8', '@vitejs/plugin-vue': '6.0.11' }, unpack: NGINX },
    package: 'vue',
    source: import.meta.filename,
    inner: `${prefix}plants/bean`,
    content: 'main',
    needsBrowser: true,
    isHashRouted: prefix.includes('#'),
    async install(place) {
      for (const folder of ['src', 'public', 'dist']) rmSync(join(place.folder, folder), { recursive: true, force: true });
      for (const [path, text] of Object.entries(sources(history))) {
        mkdirSync(dirname(join(place.folder, path)), { recursive: true });
        writeFileSync(join(place.folder, path), text);
      }
      await run(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'], {
        cwd: place.folder,
        env: { PATH: pathWithOwnNode() },
      });
      cpSync(join(place.folder, 'public'), builtOf(place), { recursive: true });
    },
    start: (place, listen, programs) => startNginx(place, listen, programs, filesBelow(builtOf(place), '/index.html')),
    truth: async () => routes(prefix),
    pageOf: (url) => (prefix === '/' ? url.pathname + url.search : url.hash.length > 1 ? `/${url.hash}` : '/#/'),
  };
}

function routes(prefix: string): Page[] {
  const lists = Array.from({ length: Math.ceil(PLANTS.length / PER_PAGE) }, (_, index) =>
    index === 0 ? 'plants' : `plants?page=${index + 1}`,
  );
  return ['', 'about', ...lists, ...PLANTS.map(({ slug }) => `plants/${slug}`)].map((path) => ({ path: prefix + path }));
}

function sources(history: string): Record<string, string> {
  return {
    'vite.config.js': "import vue from '@vitejs/plugin-vue';\nexport default { plugins: [vue()] };\n",
    'index.html':
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Garden</title></head><body><div id="app"></div><script type="module" src="/src/main.js"></script></body></html>\n',
    'src/main.js': `import { createApp } from 'vue';
import { createRouter, ${history} } from 'vue-router';
import App from './App.vue';
import Home from './Home.vue';
import About from './About.vue';
import Plants from './Plants.vue';
import Plant from './Plant.vue';
const router = createRouter({ history: ${history}(), routes: [{ path: '/', component: Home }, { path: '/about', component: About }, { path: '/plants', component: Plants }, { path: '/plants/:slug', component: Plant }] });
createApp(App).use(router).mount('#app');
`,
    'src/App.vue': `<template><header><nav><RouterLink to="/">Garden</RouterLink> <RouterLink to="/plants">Plants</RouterLink> <RouterLink to="/about">About</RouterLink></nav></header><main><RouterView :key="$route.fullPath" /></main><footer>Grown with care, 2024</footer></template>
`,
    'src/Home.vue': `<template><h1>Garden</h1><p>What grows here, bed by bed. Begin with <RouterLink to="/plants">the plants</RouterLink>.</p></template>
`,
    'src/About.vue': `<template><h1>About</h1><p>The garden is open from April to October, and the gate is on the west side.</p></template>
`,
    'src/Plants.vue': `<script setup>
import { computed, ref } from 'vue';
import { useRoute } from 'vue-router';
const page = computed(() => Number(useRoute().query.page ?? 1));
const all = ref([]);
fetch('/api/plants.json').then((answer) => answer.json()).then((plants) => (all.value = plants));
const shown = computed(() => all.value.slice((page.value - 1) * ${PER_PAGE}, page.value * ${PER_PAGE}));
</script>
<template><h1>Plants, page {{ page }}</h1><p v-if="all.length === 0">Loading ...</p><ul><li v-for="plant in shown" :key="plant.slug"><RouterLink :to="'/plants/' + plant.slug">{{ plant.title }}</RouterLink></li></ul>
<nav><RouterLink v-for="number in Math.ceil(all.length / ${PER_PAGE})" :key="number" :to="number === 1 ? '/plants' : '/plants?page=' + number">{{ number }}</RouterLink></nav></template>
`,
    'src/Plant.vue': `<script setup>
import { ref } from 'vue';
import { useRoute } from 'vue-router';
const plant = ref();
fetch('/api/plants/' + useRoute().params.slug + '.json').then((answer) => answer.json()).then((found) => (plant.value = found));
</script>
<template><article v-if="plant"><h1>{{ plant.title }}</h1><p v-for="text in plant.paragraphs" :key="text">{{ text }}</p><h2>Tools</h2><table><thead><tr><th>Tool</th><th>Use</th><th>Weeks</th></tr></thead><tbody><tr v-for="tool in plant.tools" :key="tool.name"><td>{{ tool.name }}</td><td>{{ tool.use }}</td><td>{{ tool.weeks }}</td></tr></tbody></table><ol><li v-for="step in plant.steps" :key="step">{{ step }}</li></ol></article><p v-else>Loading ...</p></template>
`,
    'public/api/plants.json': JSON.stringify(PLANTS.map(({ title, slug }) => ({ title, slug }))),
    ...Object.fromEntries(PLANTS.map((plant) => [`public/api/plants/${plant.slug}.json`, JSON.stringify(plant)])),
  };
}
