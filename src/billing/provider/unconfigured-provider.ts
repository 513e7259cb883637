import { refusal } from '../billing-refusals.ts';
import { type PaymentProvider, ProviderUnavailable } from './provider.ts';

const fail = (): never => {
  throw new ProviderUnavailable('no payment provider is configured', refusal('providerMissing'));
};

/** Used where no provider is configured: everything that needs one stays pending. */
export const noProvider: PaymentProvider = {
  accountName: '',
  payment: async () => fail(),
  oneoff: async () => fail(),
  refund: async () => fail(),
  link: fail,
};
