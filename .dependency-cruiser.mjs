/** Arrows run one way: cli and doors, then the core, then operations, ledger and policy, then platform. */
const CORE = '^src/(registry|reservations|billing|operations)/';

const forbid = (name, from, to) => ({ name, severity: 'error', from: { path: from }, to: { path: to } });

export default {
  forbidden: [
    { name: 'no circles', severity: 'error', from: {}, to: { circular: true } },
    forbid('platform knows nobody', '^src/platform/', '^src/(?!platform/)'),
    forbid(
      'policy and ledger know platform only',
      '^src/(policy|ledger)/',
      '^src/(?!policy/|ledger/|platform/)',
    ),
    forbid(
      'operations know platform and policy only',
      '^src/operations/',
      '^src/(?!operations/|platform/|policy/)',
    ),
    forbid('the core knows no door and no command', CORE, '^src/(doors|app|commands|doctor)/'),
    forbid('the core knows no HTTP', CORE, '^(fastify|node:http|http)$'),
    forbid('doors know no command', '^src/doors/', '^src/(app|commands)/'),
    forbid(
      'registrar API and sandbox are separate doors',
      '^src/doors/registrar-api/',
      '^src/doors/(sandbox|pages)/',
    ),
    forbid('the product knows no test', '^src/', '^(test|bench|torture)/'),
    {
      name: 'nothing is unused',
      severity: 'error',
      from: { orphan: true, path: '^src/', pathNot: '\\.d\\.ts$' },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.mjs', '.js', '.json'] },
  },
};
