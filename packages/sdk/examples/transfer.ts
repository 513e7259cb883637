/** Takes domains over from another registrar: node transfer.ts name=code name=code */
import { connect } from './connect.ts';

const registry = connect();
const wanted = process.argv.slice(2).map((pair) => {
  const [domain_name = '', transfer_code = ''] = pair.split('=');
  return { domain_name, transfer_code };
});

const { data, meta } = await registry.bulk.transfer(wanted);
for (const { domain_name } of data.success) console.log(`${domain_name} is ours`);
for (const { domain_name, errors } of data.failed) console.log(`${domain_name} stays: ${errors.msg}`);
console.log(`${meta.rateLimit?.remaining} requests are left in this minute`);
