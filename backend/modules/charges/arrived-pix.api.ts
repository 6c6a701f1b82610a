import { post } from '../../platform/http/calls.api.js';
import { created } from '../../platform/http/common.api.js';

export const arrivedPixApi = {
  reopen: post('/arrived-pix/:id/reopen', { summary: 'Desfaz a decisão sobre um Pix', answer: created }),
};
