import { describe, expect, test } from 'vitest';
import { addDuration, day, type Moment } from './calendar.ts';
import { certainMoment, dueMoments } from './lifecycle.ts';
import { type Domain, RegistryModel } from './state.ts';

const NOW: Moment = Date.parse('2030-06-15T07:15:00.125Z');
const MADE = { from: NOW, until: NOW + 18 };
const SECOND_MS = 1000;

/** A registry whose one domain waits for its registrant, and of which one wrong code is remembered. */
function waiting(): RegistryModel {
  const model = new RegistryModel('m', NOW, { ALPHA: 0n, BETA: 0n, POOR: 0n });
  const registrant = {
    code: 'm1',
    sponsor: 'ALPHA' as const,
    data: {
      name: 'Mari Maasikas',
      email: 'mari@example.ee',
      phone: '+372.5551234',
      ident: { ident: '47101010033', ident_type: 'priv' as const, ident_country_code: 'EE' },
    },
  };
  const domain: Domain = {
    name: 'ma.ee',
    sponsor: 'ALPHA',
    registrant,
    admins: [],
    techs: [],
    hosts: [],
    statuses: new Set(),
    expiry: day('2031-06-16'),
    outzone: undefined,
    deleteDate: undefined,
    transferCode: 'chosen',
    formerCodes: new Set(),
    request: { kind: 'delete', made: MADE, link: 'http://localhost/confirm/1' },
  };
  model.domains.set(domain.name, domain);
  model.wrongCodes.set('ma.ee', [{ who: 'BETA', at: NOW, notified: false }]);
  return model;
}

describe('a clock that is moved to the very moment of a deadline', () => {
  test('success: continues until the deadline of a request or of a wrong code has certainly passed', () => {
    const [codes, request] = dueMoments(waiting());
    expect(certainMoment(waiting(), addDuration(NOW, 'P2D'))).toBe(request);
    expect(request).toBe(addDuration(MADE.until, 'P2D') + SECOND_MS);
    expect(certainMoment(waiting(), addDuration(NOW, 'PT1H'))).toBe(codes);
    expect(codes).toBe(addDuration(NOW, 'PT1H') + SECOND_MS);
  });

  test('success: stays at the requested moment when nothing is uncertain there', () => {
    for (const to of ['PT30M', 'PT47H', 'PT49H', 'P1Y'].map((duration) => addDuration(NOW, duration)))
      expect(certainMoment(waiting(), to)).toBe(to);
  });
});
