import { type PaymentProvider, ProviderUnavailable } from './provider.ts';

const fail = (): never => {
  throw new ProviderUnavailable('no payment provider is configured');
};

/** Used where no provider is configured: everything that needs one stays pending. */
export const noProvider: PaymentProvider = {
  accountName: '',
  payment: async () => fail(),
  oneoff: async () => fail(),
  refund: async () => fail(),
  link: fail,
};
