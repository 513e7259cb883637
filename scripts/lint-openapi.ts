/** Holds the OpenAPI documents against the recommended rules and a few more; needs no server and no network. */
import { createConfig, lintFromString, type NormalizedProblem } from '@redocly/openapi-core';
import { apiDocuments } from '../test/support/endpoints.ts';

/** Beyond the recommended ones: what the API reference would show as a gap. */
const FURTHER_RULES = {
  // The paths are given: /domains/check/{domain_name} stands beside /domains/{domain_name}/renew, and "check" is no name.
  'no-ambiguous-paths': 'off',
  'operation-tag-defined': 'error',
  'parameter-description': 'error',
  'path-params-defined': 'error',
  'response-mime-type': {
    severity: 'error',
    allowedValues: ['application/json', 'application/pdf', 'application/xml'],
  },
  'request-mime-type': { severity: 'error', allowedValues: ['application/json'] },
  'response-contains-header': { severity: 'error', names: { all: ['X-Request-Id'] } },
} as const;

const where = ({ location: [first] }: NormalizedProblem): string =>
  first?.pointer?.replaceAll('~1', '/').replaceAll('~0', '~') ?? '#/';

const config = await createConfig({ extends: ['recommended'], rules: FURTHER_RULES });
let failed = false;
for (const document of apiDocuments()) {
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: '/openapi.json',
    config,
  });
  const calls = Object.values(document.paths).flatMap((operations) => Object.keys(operations)).length;
  for (const problem of problems) {
    process.stderr.write(
      `${problem.severity} ${problem.ruleId}: ${problem.message.trim()}\n    at ${where(problem)}\n`,
    );
  }
  if (problems.length === 0) process.stdout.write(`${document.info.title}: ${calls} calls, no problems\n`);
  else process.stderr.write(`${document.info.title}: ${problems.length} problems\n`);
  failed ||= problems.length > 0;
}
process.exitCode = failed ? 1 : 0;
