/**
 * Arrows run one way: app, then commands and doors, then the doctor, then reservations, then registry and billing, which do
 * not know each other, then ledger, operations and policy, then platform.
 */
const CORE = '^src/(registry|reservations|billing|ledger|installation|operations|policy)/';

const forbid = (name, from, to) => ({ name, severity: 'error', from: { path: from }, to: { path: to } });
const only = (name, modules, known) =>
  forbid(name, `^src/(${modules})/`, `^src/(?!(${[modules, known].filter(Boolean).join('|')})/)`);

export default {
  forbidden: [
    { name: 'no circles', severity: 'error', from: {}, to: { circular: true } },
    only('platform knows nobody', 'platform', ''),
    only('the embedded PostgreSQL knows platform only', 'embedded-postgres', 'platform'),
    forbid(
      'the embedded PostgreSQL is for the sandbox, and for commands beside it',
      '^src/(?!(app|commands|embedded-postgres)/)',
      '^src/embedded-postgres/',
    ),
    only('policy knows platform only', 'policy', 'platform'),
    only('operations know platform and policy only', 'operations', 'platform|policy'),
    only('ledger knows operations, policy and platform only', 'ledger', 'operations|policy|platform'),
    only(
      'installation knows operations, policy and platform only',
      'installation',
      'operations|policy|platform',
    ),
    only('registry knows ledger and below', 'registry', 'ledger|operations|policy|platform'),
    only('billing knows ledger and below', 'billing', 'ledger|operations|policy|platform'),
    only('backup knows ledger and below', 'backup', 'ledger|operations|policy|platform'),
    only(
      'recovery knows registry, billing and below',
      'recovery',
      'registry|billing|ledger|operations|policy|platform',
    ),
    only(
      'reservations know registry, billing and below',
      'reservations',
      'registry|billing|ledger|operations|policy|platform',
    ),
    only(
      'the doctor knows the core only',
      'doctor',
      'reservations|registry|billing|ledger|operations|policy|platform',
    ),
    forbid('only the program knows the composition root', '^src/(?!app/|main\\.ts$)', '^src/app/'),
    forbid('doors know no commands', '^src/doors/', '^src/commands/'),
    forbid(
      'what a command changes is an operation',
      '^src/commands/',
      '^src/operations/(in-transaction|record-history)\\.ts$',
    ),
    forbid('the core knows no HTTP', CORE, '^(fastify|node:http|http|src/platform/node-http\\.ts)$'),
    {
      // Its ES module loads undici: docs/decisions/0116-what-a-start-loads.md.
      name: 'node:http is used through platform/node-http.ts',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(node:)?http$', dependencyTypesNot: ['type-only'] },
    },
    forbid(
      'registrar API and sandbox are separate doors',
      '^src/doors/registrar-api/',
      '^src/doors/(sandbox|pages)/',
    ),
    forbid(
      'what all pages are made of knows no single interface',
      '^src/doors/html/',
      '^src/doors/(?!(html|http)/)',
    ),
    {
      name: "the country's policy is imported in one place",
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/policy/installed\\.ts$' },
      to: { path: '^src/policy/ee\\.ts$' },
    },
    forbid('the core and doors are given their policy', `${CORE}|^src/doors/`, '^src/policy/installed\\.ts$'),
    forbid('the product knows no test', '^src/', '^(test|bench|torture|packages|examples)/'),
    // They are published by themselves.
    {
      name: 'packages and examples know neither the product nor its dependencies',
      severity: 'error',
      from: { path: '^(packages|examples)/' },
      to: { pathNot: '^packages/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'nothing is unused',
      severity: 'error',
      // What browsers load is read as a file.
      from: { orphan: true, path: '^src/', pathNot: '\\.d\\.ts$|^src/doors/(console|pages/guide)/browser/' },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^packages/[^/]+/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.mjs', '.js', '.json'] },
  },
};
