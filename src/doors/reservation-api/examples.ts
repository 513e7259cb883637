/** Examples in the OpenAPI document of this API. */
export const USER_UNIQUE_ID = 'kQ3x_9ZbTa';
export const [NAME, OTHER_NAME] = ['kohvikõnn.ee', 'kohvik-õnn.ee'] as const;
export const HELD_NAME = {
  name: NAME,
  password: '0c053d46916400f7560376f7c0404b91',
  expire_at: '2030-01-22T12:00:00.258+02:00',
};
export const INVOICE_NUMBER = 150005;
