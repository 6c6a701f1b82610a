import { describe, expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import {
  decideReport,
  decideSent,
  type MessageAbout,
  type Report,
  whatsAppMessage,
  type WhatsAppMessageEvent,
} from './whatsapp-message.js';

const about: MessageAbout = {
  message_id: 'm',
  student_id: 'ana',
  tipo: 'lembrete',
  subject_id: 'r',
  sobre_id: 's',
};
const sent = (incerta = false): WhatsAppMessageEvent => ({
  type: 'WhatsAppMessageSent',
  data: { ...about, incerta },
});
const said = (estado: Report['estado'], motivo: number | null = null): WhatsAppMessageEvent => ({
  type: 'WhatsAppMessageReported',
  data: { ...about, estado, em: '2026-11-09T21:00:00.000Z', motivo },
});
const report = (estado: Report['estado'], ...events: WhatsAppMessageEvent[]) => {
  const { em, motivo } = said(estado).data as Report;
  return decideReport(given(whatsAppMessage, ...events), about, { estado, em, motivo });
};

describe('a message', () => {
  it('is sent once', () => {
    expect(decideSent(undefined, about, false)).toEqual([sent()]);
    expect(decideSent(given(whatsAppMessage, sent(true)), about, false)).toEqual([]);
  });

  it('that was perhaps sent is known to be sent by the first report', () => {
    expect(report('enviada', sent(true))).toEqual([said('enviada')]);
    expect(report('lida', sent(true))).toEqual([said('lida')]);
  });

  it('is reported before it is recorded', () => {
    expect(report('enviada')).toEqual([sent()]);
    expect(report('entregue')).toEqual([sent(), said('entregue')]);
    expect(report('falhou')).toEqual([said('falhou')]);
  });

  it('goes only forward: what is repeated, or older than what is known, changes nothing', () => {
    expect(report('enviada', sent())).toEqual([]);
    expect(report('entregue', sent(), said('lida'))).toEqual([]);
    expect(report('falhou', sent(), said('entregue'))).toEqual([]);
    expect(report('falhou', sent(), said('falhou'))).toEqual([]);
    expect(report('entregue', sent(), said('falhou'))).toEqual([]);
    expect(report('lida', sent(), said('entregue'))).toEqual([said('lida')]);
  });
});
