// An Angular application with Material: a dialog that greets each visitor, a table, cards, history routes, fetched data.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { App, Place } from '../app.ts';
import { articles } from '../content.ts';
import { NGINX, filesBelow, startNginx } from '../nginx.ts';
import { pathWithOwnNode, run } from '../packages.ts';

const PLANTS = articles(16);
const CORE = '22.2.6';
const TOOLS = '22.2.7';
const builtOf = (place: Place) => join(place.folder, 'dist');

export const ANGULAR: App = {
  name: 'angular-material',
  software: 'Angular with Material dialogs',
  port: 8444,
  needs: {
    npm: {
      '@angular/core': CORE,
      '@angular/common': CORE,
      '@angular/compiler': CORE,
      '@angular/compiler-cli': CORE,
      '@angular/forms': CORE,
      '@angular/platform-browser': CORE,
      '@angular/router': CORE,
      '@angular/material': CORE,
      '@angular/cdk': CORE,
      '@angular/build': TOOLS,
      '@angular/cli': TOOLS,
      rxjs: '7.8.2',
      tslib: '2.9.1',
      typescript: '6.0.3',
    },
    unpack: NGINX,
  },
  package: '@angular/core',
  source: import.meta.filename,
  inner: '/plants/bean',
  content: 'main',
  needsBrowser: true,
  async install(place) {
    for (const folder of ['src', 'public', 'dist']) rmSync(join(place.folder, folder), { recursive: true, force: true });
    for (const [path, text] of Object.entries(SOURCES)) {
      mkdirSync(dirname(join(place.folder, path)), { recursive: true });
      writeFileSync(join(place.folder, path), text);
    }
    await run(process.execPath, ['node_modules/@angular/cli/bin/ng.js', 'build'], {
      cwd: place.folder,
      env: { PATH: pathWithOwnNode(), NG_CLI_ANALYTICS: 'false', CI: '1' },
    });
  },
  start: (place, listen, programs) => startNginx(place, listen, programs, filesBelow(builtOf(place), '/index.html')),
  truth: () => Promise.resolve(['/', '/about', '/plants', ...PLANTS.map(({ slug }) => `/plants/${slug}`)].map((path) => ({ path }))),
  pageOf: ({ pathname }) => pathname,
};

const SOURCES: Readonly<Record<string, string>> = {
  'angular.json': JSON.stringify({
    version: 1,
    cli: { analytics: false },
    projects: {
      garden: {
        projectType: 'application',
        root: '',
        sourceRoot: 'src',
        architect: {
          build: {
            builder: '@angular/build:application',
            options: {
              browser: 'src/main.ts',
              index: 'src/index.html',
              tsConfig: 'tsconfig.json',
              outputPath: { base: 'dist', browser: '' },
              styles: ['node_modules/@angular/material/prebuilt-themes/azure-blue.css'],
              assets: [{ glob: '**/*', input: 'public' }],
              optimization: { scripts: true, styles: { minify: true, inlineCritical: false }, fonts: false },
            },
          },
        },
      },
    },
  }),
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      target: 'ES2022',
      module: 'preserve',
      moduleResolution: 'bundler',
      experimentalDecorators: true,
      skipLibCheck: true,
      strict: true,
    },
    files: ['src/main.ts'],
  }),
  'src/index.html':
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Garden</title><base href="/"></head><body><app-root></app-root></body></html>\n',
  'src/main.ts': `import { HttpClient, provideHttpClient } from '@angular/common/http';
import { Component, inject, signal } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { MatButtonModule } from '@angular/material/button';
import { MatCardModule } from '@angular/material/card';
import { MatDialog, MatDialogModule } from '@angular/material/dialog';
import { MatTableModule } from '@angular/material/table';
import { MatToolbarModule } from '@angular/material/toolbar';
import { ActivatedRoute, RouterLink, RouterOutlet, provideRouter } from '@angular/router';

interface Plant { title: string; slug: string; paragraphs: string[]; tools: { name: string; use: string; weeks: number }[]; steps: string[] }

@Component({ selector: 'app-welcome', imports: [MatDialogModule, MatButtonModule], template: \`<h2 mat-dialog-title>Welcome to the garden!</h2><mat-dialog-content><p>Here you find what grows, when to sow it and which tools it takes. Take off your shoes before you come in.</p></mat-dialog-content><mat-dialog-actions><button mat-button mat-dialog-close>Dismiss</button></mat-dialog-actions>\` })
class Welcome {}

@Component({ selector: 'app-home', imports: [RouterLink], template: \`<h1>Garden</h1><p>What grows here, bed by bed. Begin with <a routerLink="/plants">the plants</a>.</p>\` })
class Home {}

@Component({ selector: 'app-about', template: \`<h1>About</h1><p>The garden is open from April to October, and the gate is on the west side.</p>\` })
class About {}

@Component({ selector: 'app-plants', imports: [RouterLink, MatTableModule], template: \`<h1>Plants</h1><table mat-table [dataSource]="plants()"><ng-container matColumnDef="title"><th mat-header-cell *matHeaderCellDef>Plant</th><td mat-cell *matCellDef="let plant"><a [routerLink]="['/plants', plant.slug]">{{ plant.title }}</a></td></ng-container><ng-container matColumnDef="tool"><th mat-header-cell *matHeaderCellDef>First tool</th><td mat-cell *matCellDef="let plant">{{ plant.tools[0].name }}</td></ng-container><tr mat-header-row *matHeaderRowDef="columns"></tr><tr mat-row *matRowDef="let row; columns: columns"></tr></table>\` })
class Plants {
  readonly columns = ['title', 'tool'];
  readonly plants = signal<Plant[]>([]);
  constructor() { inject(HttpClient).get<Plant[]>('/api/plants.json').subscribe((plants) => this.plants.set(plants)); }
}

@Component({ selector: 'app-plant', imports: [MatCardModule], template: \`@if (plant(); as shown) {<mat-card><mat-card-header><mat-card-title><h1>{{ shown.title }}</h1></mat-card-title></mat-card-header><mat-card-content>@for (text of shown.paragraphs; track text) {<p>{{ text }}</p>}<h2>Tools</h2><table><tr><th>Tool</th><th>Use</th><th>Weeks</th></tr>@for (tool of shown.tools; track tool.name) {<tr><td>{{ tool.name }}</td><td>{{ tool.use }}</td><td>{{ tool.weeks }}</td></tr>}</table><ol>@for (step of shown.steps; track step) {<li>{{ step }}</li>}</ol></mat-card-content></mat-card>}\` })
class PlantDetail {
  readonly plant = signal<Plant | undefined>(undefined);
  constructor() {
    const slug = inject(ActivatedRoute).snapshot.paramMap.get('slug');
    inject(HttpClient).get<Plant[]>('/api/plants.json').subscribe((plants) => this.plant.set(plants.find((each) => each.slug === slug)));
  }
}

@Component({ selector: 'app-root', imports: [RouterOutlet, RouterLink, MatToolbarModule, MatButtonModule], template: \`<mat-toolbar><a mat-button routerLink="/">Garden</a><a mat-button routerLink="/plants">Plants</a><a mat-button routerLink="/about">About</a></mat-toolbar><main><router-outlet /></main><footer>Grown with care, 2024</footer>\` })
class Root {
  constructor() { inject(MatDialog).open(Welcome); }
}

const routes = [{ path: '', component: Home }, { path: 'about', component: About }, { path: 'plants', component: Plants }, { path: 'plants/:slug', component: PlantDetail }];
bootstrapApplication(Root, { providers: [provideRouter(routes), provideHttpClient()] });
`,
  'public/api/plants.json': JSON.stringify(PLANTS),
};
