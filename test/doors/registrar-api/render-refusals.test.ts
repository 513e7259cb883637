import { describe, expect, test } from 'vitest';
import { RENEWAL_NAMES, renderRefusals } from '../../../src/doors/registrar-api/render-refusals.ts';
import { nameRefusals } from '../../../src/operations/named-refusal.ts';
import { listFailures } from '../../../src/registry/domains/bulk/bulk-findings.ts';
import { refusal } from '../../../src/registry/domains/rules/domain-refusals.ts';

describe('the refusals of a bulk call', () => {
  const failed = (name: string, index: number) =>
    name.startsWith('held')
      ? { name, index, refusal: refusal('statusProhibits', { status: 'serverRenewProhibited' }) }
      : { name, index, refusal: refusal('bodyObjectMissing', { object: name }) };
  const render = (names: readonly string[]) => {
    const [first = expect.fail(), ...rest] = listFailures(names.map(failed));
    return renderRefusals(nameRefusals([first, ...rest], RENEWAL_NAMES)).body;
  };

  test('success: the first determines the code, the message names each failed object once', () => {
    expect(render(['held.ee', 'none.ee'])).toMatchObject({
      code: 2304,
      message:
        'held.ee: Object status prohibits operation: serverRenewProhibited; Object does not exist: none.ee',
      errors: [
        { field: 'domains.0', message: 'Object status prohibits operation: serverRenewProhibited' },
        { field: 'domains.1', message: 'Object does not exist: none.ee' },
      ],
    });
  });

  test('success: the message names the first ten and counts the others', () => {
    const names = Array.from({ length: 12 }, (_, index) => `none-${index}.ee`);
    expect(render(names)).toMatchObject({
      message: expect.stringMatching(/: none-0\.ee; .*: none-9\.ee; and 2 more$/),
    });
  });
});
