/** One command on each line. */
const linesOf = (text: string): string[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim());

/** Commands that read; each is run as it is and with `--json`. */
export const READS: readonly string[] = linesOf(`
  registrar list
  registrar show ALPHA
  user list
  user list --registrar ALPHA
  person list
  person list --registrar ALPHA
  ip list
  ip list ALPHA
  ip test ALPHA 192.0.2.1
  ca list
  cert list
  cert requests
  dns secondary list
  dns key list
  price list --zone ee
  zone list
  reserved list
  reserved list --for-good
  blocked list
  portal token list
  rdap requester list
  rdap requester requests
  domain list
  domain list --registrar ALPHA
  domain list --status clientHold
  domain list --expires-before 2032-01-01
  domain show one.ee
  domain show õun.ee
  dispute list
  contact show mari
  contact show firm
  history one.ee
  history mari
  ledger check --all
  ledger list ALPHA
  ledger list BETA
  ledger list ALPHA --from 2030-01-16
  billing list
  billing held
  billing exports
  billing differences
  bank unmatched
  bank sums
  delivery list
  webhook list
  webhook list ALPHA
  maintenance status
  epp sessions
  zone show free.ee
  statement list NOBODY
  statement show ALPHA 2029-12
  webhook list NOBODY
  staging status
`);

/** Commands that change something; each is run as a dry run, then in earnest with `--json`. */
export const CHANGES: readonly string[] = linesOf(`
  registrar create GAMMA --name Gamma --website https://gamma.example --email info@gamma.example
  registrar update GAMMA --name Gamma-2 --reason renamed
  registrar low-balance GAMMA 500.00
  registrar low-balance GAMMA none
  registrar top-up GAMMA 1000.00 --at 50.00
  registrar suspend GAMMA --reason unpaid
  registrar activate GAMMA
  registrar compatibility GAMMA on
  registrar invoice-details GAMMA --country EE --registry-code 12345678 --city Tallinn
  user create gamma --registrar GAMMA --roles super --password-stdin
  user password gamma --password-stdin --yes
  user roles gamma epp
  user disable gamma
  user enable gamma
  user drop-old-password gamma --yes
  person invite gamma@example.ee --registrar GAMMA --role admin --name Gerda --language en
  person roles alpha-reader@sandbox.example ALPHA reader billing
  person disable alpha-reader@sandbox.example
  person enable alpha-reader@sandbox.example
  person reset beta@sandbox.example --yes
  person remove gamma@example.ee --registrar GAMMA
  ip add GAMMA 192.0.2.0/24 --note office
  ip add GAMMA 2001:db8::/48 --console
  ip remove GAMMA 192.0.2.0/24
  dns secondary add signer 192.0.2.53 --port 5353
  dns key create signer-key --secondary signer --algorithm hmac-sha512
  dns key revoke signer-key --yes
  dns secondary remove signer --yes
  price set ee create 1y 10.00 --from 2030-02-01 --reason dearer
  price end ee create 9m --on 2030-03-01
  zone freeze ee --reason maintenance
  zone thaw ee
  price set ee renew 1y 5.00 --from 2029-01-01
  reserved add keep.ee --for P1Y --code keep-code
  reserved extend keep.ee --for P7D
  reserved release keep.ee --yes
  blocked add never.ee --reason harmful
  blocked remove never.ee
  portal token create second --for P1Y
  portal token revoke second --yes
  rdap requester add police --purpose law --until 2031-01-31
  rdap requester revoke police --yes
  domain set-status one.ee serverHold --note unpaid --reason court
  domain cancel-status one.ee serverHold
  domain restore gone.ee --reason mistake
  force-delete set one.ee --type soft --reason wrong-data
  force-delete lift one.ee
  dispute open one.ee --code dispute-code --for P12M --reason claim
  dispute close one.ee --yes
  contact update mari --name Mari-Liis --email liis@example.ee --phone +372.5550000 --by-registrant
  ledger correct ALPHA 18.00 --reason refund
  ledger correct ALPHA -18.00 --reason mistake
  maintenance on --reason upgrade
  maintenance off
`);

/** Commands that are refused; the first has no name. */
export const REFUSED: readonly string[] = [
  '',
  ...linesOf(`
  dance
  registrar
  registrar dance
  registrar show
  registrar show A B
  --surprise
  registrar show NOBODY
  registrar create gamma --name Gamma
  registrar create ALPHA --name Alpha
  registrar create DELTA
  registrar create DELTA --name Delta --website delta
  registrar update ALPHA
  registrar update NOBODY --name Nobody
  registrar low-balance ALPHA lots
  registrar low-balance NOBODY 5.00
  registrar top-up ALPHA lots
  registrar top-up NOBODY 5.00
  registrar suspend NOBODY
  registrar compatibility ALPHA maybe
  registrar compatibility NOBODY on
  registrar invoice-details NOBODY --country EE
  registrar invoice-details ALPHA --country XX
  user create alpha --registrar ALPHA --password-stdin
  user create x/y --registrar ALPHA --password-stdin
  user create delta --registrar NOBODY --password-stdin
  user create delta --registrar ALPHA --roles king
  user password nobody --password-stdin --yes
  user password alpha --password-stdin --yes --keep-old long
  user drop-old-password nobody --yes
  user roles alpha king
  user roles nobody epp
  user disable nobody
  user enable nobody
  person invite nobody --registrar ALPHA --role admin
  person invite a@example.ee --registrar ALPHA
  person invite a@example.ee --registrar NOBODY --role admin
  person invite a@example.ee --registrar ALPHA --role king
  person invite a@example.ee --registrar ALPHA --role admin --language fr
  person invite beta@sandbox.example --registrar BETA --role admin
  person disable beta@sandbox.example
  person disable a@example.ee
  person enable a@example.ee
  person roles a@example.ee ALPHA admin
  person roles beta@sandbox.example BETA reader
  person remove a@example.ee --registrar ALPHA
  person remove beta@sandbox.example --registrar BETA
  person reset a@example.ee --yes
  person reset beta@sandbox.example
  ip add NOBODY 192.0.2.1
  ip add ALPHA office
  ip remove ALPHA 192.0.2.1
  ip test NOBODY 192.0.2.1
  ip test ALPHA office
  ca certificate 9
  ca certificate word
  ca retire 9 --yes
  ca trust /no-such-file
  cert sign /no-such-file
  cert show 9
  cert revoke 9 --reason x --yes
  cert sign-request 9
  cert refuse-request 9 --reason x --yes
  cert revoke 9 --yes
  cert add /no-such-file
  clock confirm --yes
  epp end
  epp end 9 --yes
  dns secondary add Signer 192.0.2.53
  dns secondary add signer nowhere
  dns secondary add signer 192.0.2.53 --port 0
  dns secondary remove nobody --yes
  dns key create a-key --secondary nobody
  dns key create a-key
  dns key create a-key --secondary sandbox --algorithm md5
  dns key revoke nobody --yes
  price set ee create 1y 0
  price set ee create 7m 5.00
  price set ee dance 1y 5.00
  price set lv create 1y 5.00
  price set ee create 1y 5.00 --from soon
  price end ee create 1y --on soon
  price end lv create 1y
  zone export lv
  zone freeze lv --reason x
  zone freeze ee
  zone thaw ee
  zone raise ee --above word --yes
  zone raise ee --yes
  zone ds ee --none --yes
  zone rebuild lv
  zone check lv
  zone check ee --server 127.0.0.1
  reserved add reserved.ee
  reserved add one.ee
  reserved add x.com
  reserved add a.ee --for long
  reserved release free.ee --yes
  reserved release reserved.ee
  reserved extend free.ee --for P1D
  reserved extend reserved.ee --for P1D
  reserved extend reserved.ee
  reserved list --held-by chance
  reserved list --ends-before soon
  reserved import /no-such-file
  blocked add x.com
  blocked remove free.ee
  portal token create portal
  portal token create a/b
  portal token create third --for long
  portal token revoke nobody --yes
  portal token revoke portal
  rdap requester add a/b --purpose law --until 2031-01-31
  rdap requester add army --until 2031-01-31
  rdap requester add army --purpose law --until 2029-01-31
  rdap requester add army --purpose law --until soon
  rdap requester revoke nobody --yes
  rdap requester requests nobody
  rdap requester requests --limit 0
  rdap requester requests --since soon
  domain show free.ee
  domain show x.com
  domain list --status lost
  domain list --held-by chance
  domain list --expires-before soon
  domain restore one.ee
  domain restore free.ee
  domain set-status free.ee serverHold
  domain set-status one.ee lost
  domain set-status one.ee clientHold
  domain cancel-status one.ee serverHold
  domain cancel-status free.ee serverHold
  force-delete set one.ee --reason x
  force-delete set one.ee --type hard --reason x
  force-delete set free.ee --type soft --reason x
  force-delete set one.ee --type soft
  force-delete lift one.ee
  force-delete lift free.ee
  dispute open x.com
  dispute open one.ee --for long
  dispute close free.ee --yes
  dispute close free.ee
  contact show nobody
  contact update mari
  contact update nobody --name Nobody
  contact update mari --email wrong --phone 5
  history free.ee
  history
  ledger list NOBODY
  ledger list ALPHA --from soon
  ledger correct ALPHA 18.00
  ledger correct NOBODY 18.00 --reason x
  ledger correct ALPHA 0 --reason x
  ledger correct ALPHA lots --reason x
  ledger correct POOR -50.00 --reason x
  billing show 9
  billing show word
  billing cancel 9 --reason x --yes
  billing cancel 9 --yes
  billing pdf 9
  billing ubl 9
  billing list --status lost
  billing list --initiator nobody
  billing list --from soon
  billing resolve 9 dance --reason x --yes
  billing resolve 9 accept --reason x --yes
  billing refund 9 --reason x --yes
  billing fetch a/b
  billing export nowhere 9
  billing export accounting 9
  billing exported accounting 9 --reason x
  billing exported nowhere 9 --reason x
  bank show 9
  bank show word
  bank assign 9 --reason x --yes
  bank assign 9 --invoice 9 --registrar ALPHA --reason x --yes
  bank assign 9 --registrar ALPHA --reason x --yes
  bank set-aside 9 --reason x
  bank reopen 9 --reason x
  bank import /no-such-file
  statement show ALPHA soon
  mail retry 999999
  mail retry word
  delivery retry 999999
  delivery retry word
  webhook show nothing
  webhook disable nothing
  webhook enable nothing
  webhook replay nothing
  webhook deliveries nothing
  webhook deliveries nothing --state lost
  job show dance
  job run dance
  job forget dance
  job approve dance --yes
  staging on --yes
  recovery confirm --yes
  completion dance
  backup verify /no-such-file
  restore /no-such-file
`),
];
