/** Renews by a year what expires before a day: node renew-expiring.ts 2031-02-01 */
import { Refusal } from 'cadastre-sdk';
import { connect } from './connect.ts';

const [before = '2031-02-01'] = process.argv.slice(2);
const registry = connect();

for await (const domain of registry.domains.list({ details: true, sort: 'expire_time' })) {
  const expiry = domain.expire_time.slice(0, 10);
  if (expiry >= before) break;
  try {
    // The key names domain and date: a second run renews nothing twice.
    await registry.domains.renew(
      domain.name,
      { period: 1, period_unit: 'y', exp_date: expiry },
      { key: `renew-${domain.name}-${expiry}` },
    );
    console.log(`renewed ${domain.name}`);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.log(`${domain.name} stays: ${error.message} (${error.reason})`);
    if (error.has('noFunds')) break;
  }
}
