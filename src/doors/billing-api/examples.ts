/** Examples in the OpenAPI document of this API. */
export const invoiceExample = {
  ...{ invoice_number: 150005, initiator: 'auction', kind: 'invoice', status: 'unpaid', held: false },
  ...{ transaction_amount: '20.00', net: '16.13', vat: '3.87', vat_percent: '24', currency: 'EUR' },
  ...{ description: 'maasikas.ee', custom_field1: 'maasikas.ee', customer_name: 'Mari Maasikas' },
  ...{ customer_email: 'mari@example.ee', reference_number: '7734230', paid_at: null },
  ...{ issued_at: '2030-01-15T10:00:03.346Z', due_date: '2030-02-14' },
  lines: [{ description: 'maasikas.ee', quantity: 1, net: '16.13' }],
  ...{ payments: [], events: [], accounting: null, e_invoice: null },
  changes: [
    {
      ...{ id: '85700b52-da1d-45c0-bf1c-26f980684385', from: null, to: 'unpaid' },
      at: '2030-01-15T10:00:03.346Z',
    },
  ],
  linkpay_url: 'https://pay.example/lp?invoice_number=150005&hmac=b0980e0d',
};
