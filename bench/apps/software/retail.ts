// Two shops whose pages only scripts fill, over the same json-server with the retail data of react-admin's makers: one in react-admin, one in Refine.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Listen, Place, Programs, Software } from '../app.ts';
import { NGINX, filesBelow, startNginx } from '../nginx.ts';
import { pathWithOwnNode, run } from '../packages.ts';
import { freePort } from '../../src/processes.ts';

const BUILT_WITH = {
  'data-generator-retail': '5.15.4',
  'json-server': '0.17.4',
  'ra-core': '5.15.4',
  react: '19.3.1',
  'react-dom': '19.3.1',
  vite: '8.3.8',
  '@vitejs/plugin-react': '6.3.0',
};
const HOST = '127.0.0.1';
/** Dates of the data are told from now on backwards; what is kept is the same until it is installed anew. */
const WRITE_DATA =
  "import * as made from 'data-generator-retail'; import { writeFileSync } from 'node:fs'; const generate = made.default.default ?? made.default; const { finalize, ...data } = generate(); writeFileSync('db.json', JSON.stringify(data));";

export const REACT_ADMIN: Software = {
  name: 'react-admin',
  software: 'react-admin over json-server',
  port: 8446,
  needs: { npm: { ...BUILT_WITH, 'react-admin': '5.15.4', 'ra-data-json-server': '5.15.3' }, unpack: NGINX },
  package: 'react-admin',
  source: import.meta.filename,
  install: (place) => install(place, REACT_ADMIN_SOURCE),
  start,
};

export const REFINE: Software = {
  name: 'refine',
  software: 'Refine and Ant Design over json-server',
  port: 8447,
  needs: {
    npm: {
      ...BUILT_WITH,
      '@refinedev/core': '5.0.12',
      '@refinedev/antd': '6.0.3',
      '@refinedev/react-router': '2.0.4',
      '@refinedev/simple-rest': '6.0.1',
    },
    unpack: NGINX,
  },
  package: '@refinedev/core',
  source: import.meta.filename,
  install: (place) => install(place, REFINE_SOURCE),
  start,
};

async function install(place: Place, source: string): Promise<void> {
  for (const folder of ['src', 'dist']) rmSync(join(place.folder, folder), { recursive: true, force: true });
  const files = {
    'vite.config.js': "import react from '@vitejs/plugin-react';\nexport default { plugins: [react()] };\n",
    'index.html':
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title></head><body><div id="root"></div><script type="module" src="/src/main.jsx"></script></body></html>\n',
    'src/main.jsx': source,
    'routes.json': '{ "/api/*": "/$1" }\n',
    'data.mjs': WRITE_DATA,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place.folder, path)), { recursive: true });
    writeFileSync(join(place.folder, path), text);
  }
  const options = { cwd: place.folder, env: { PATH: pathWithOwnNode() } };
  await run(process.execPath, ['data.mjs'], options);
  await run(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'], options);
  cpSync(join(place.folder, 'db.json'), join(place.folder, 'served.json'));
}

/** json-server inside, with the application and its fallback in front of it. */
async function start(place: Place, listen: Listen, programs: Programs): Promise<void> {
  const port = String(await freePort());
  const server = join(place.folder, 'node_modules/json-server/lib/cli/bin.js');
  programs.start(process.execPath, [server, 'served.json', '--host', HOST, '--port', port, '--routes', 'routes.json', '--quiet'], {
    cwd: place.folder,
  });
  await programs.answers(`http://${HOST}:${port}/products/1`);
  const files = filesBelow(join(place.folder, 'dist'), '/index.html');
  await startNginx(
    place,
    listen,
    programs,
    `${files} location /api/ { proxy_pass http://${HOST}:${port}; proxy_set_header Host $http_host; }`,
  );
}

const REACT_ADMIN_SOURCE = `import { createRoot } from 'react-dom/client';
import { Admin, Datagrid, EmailField, List, NumberField, Resource, SearchInput, Show, SimpleShowLayout, TextField } from 'react-admin';
import jsonServerProvider from 'ra-data-json-server';
const filters = [<SearchInput key="q" source="q" alwaysOn />];
const Products = () => <List filters={filters}><Datagrid rowClick="show"><TextField source="reference" /><NumberField source="price" /><NumberField source="stock" /><NumberField source="width" /><NumberField source="height" /></Datagrid></List>;
const Product = () => <Show><SimpleShowLayout><TextField source="reference" /><NumberField source="price" /><NumberField source="stock" /><NumberField source="width" /><NumberField source="height" /><TextField source="description" /></SimpleShowLayout></Show>;
const Customers = () => <List filters={filters}><Datagrid><TextField source="first_name" /><TextField source="last_name" /><EmailField source="email" /><TextField source="city" /></Datagrid></List>;
const dataProvider = jsonServerProvider(window.location.origin + '/api');
createRoot(document.getElementById('root')).render(
  <Admin dataProvider={dataProvider} disableTelemetry><Resource name="products" list={Products} show={Product} recordRepresentation="reference" /><Resource name="customers" list={Customers} /></Admin>,
);
`;

const REFINE_SOURCE = `import { createRoot } from 'react-dom/client';
import { BrowserRouter, Navigate, Outlet, Route, Routes, Link } from 'react-router';
import { Refine, useShow } from '@refinedev/core';
import { List, Show, ThemedLayout, TextField, EmailField, useTable } from '@refinedev/antd';
import routerProvider from '@refinedev/react-router';
import dataProvider from '@refinedev/simple-rest';
import { Input, Table, Typography } from 'antd';
function Customers() {
  const { tableProps, setFilters } = useTable({ resource: 'customers', syncWithLocation: true, pagination: { pageSize: 20 } });
  const search = (value) => setFilters([{ field: 'q', operator: 'eq', value: value || undefined }]);
  return <List><Input.Search placeholder="Search customers" name="q" onSearch={search} /><Table {...tableProps} rowKey="id"><Table.Column dataIndex="id" title="ID" /><Table.Column dataIndex="first_name" title="First name" render={(name, { id }) => <Link to={'/customers/show/' + id}>{name}</Link>} /><Table.Column dataIndex="last_name" title="Last name" /><Table.Column dataIndex="email" title="Email" /><Table.Column dataIndex="city" title="City" /></Table></List>;
}
function Customer() {
  const { query } = useShow();
  const customer = query.data?.data ?? {};
  const row = (title, value) => <><Typography.Title level={5}>{title}</Typography.Title><TextField value={value ?? ''} /></>;
  return <Show isLoading={query.isLoading}>{row('ID', customer.id)}{row('First name', customer.first_name)}{row('Last name', customer.last_name)}<Typography.Title level={5}>Email</Typography.Title><EmailField value={customer.email} />{row('City', customer.city)}{row('Address', customer.address)}</Show>;
}
createRoot(document.getElementById('root')).render(
  <BrowserRouter><Refine dataProvider={dataProvider(window.location.origin + '/api')} routerProvider={routerProvider} resources={[{ name: 'customers', list: '/customers', show: '/customers/show/:id' }]} options={{ disableTelemetry: true, syncWithLocation: true }}>
    <Routes><Route element={<ThemedLayout><Outlet /></ThemedLayout>}><Route index element={<Navigate to="/customers" />} /><Route path="/customers" element={<Customers />} /><Route path="/customers/show/:id" element={<Customer />} /></Route></Routes>
  </Refine></BrowserRouter>,
);
`;
