import { describe, expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import { contract, type ContractEvent, decideChange } from './contract.js';
import {
  decideDecline,
  decideOpen,
  decideRemind,
  decideRevoke,
  decideSign,
  decideWithdraw,
  signatureRequest,
  type SignatureRequestEvent,
  type SignedCopy,
} from './signature-request.js';

const ids = { request_id: 'request', contract_id: 'contract', student_id: 'student' };
const now = new Date('2026-11-22T12:00:00.000Z');
const after = (days: number) => new Date(now.getTime() + days * 86_400_000);
const sent: SignatureRequestEvent = {
  type: 'ContractSent',
  data: {
    ...ids,
    ...{ versao: 1, token_hash: 'aa', canal: 'link', campos: [] },
    expires_at: after(30).toISOString(),
  },
};
const copy: SignedCopy = {
  ...{ versao: 1, titulo: 'a', conteudo: 'b', nome: 'Ana', cpf: '52998224725', telefone: '+5511943214321' },
  ...{ ip_address: null, navegador: null, consent_data_processing: true, consent_terms: true },
  ...{ consentimento: '2026-11-22', conteudo_hash: 'ef', codigo_hash: 'cd', meio: 'link' },
  ...{ assinado_em: now.toISOString(), guardar_ate: '2031-12-31' },
};
const of = (...events: SignatureRequestEvent[]) => given(signatureRequest, ...events);
const signed = decideSign(of(sent), copy, now);
const declined = decideDecline(of(sent), 'caro', now);
const revoked = decideRevoke(of(sent));

describe('a contract that was sent to a student', () => {
  it('is opened once, signed once, and nothing changes it then', () => {
    const opened = decideOpen(of(sent), now);
    expect(opened).toEqual([{ type: 'ContractOpened', data: ids }]);
    expect(decideOpen(of(sent, ...opened), now)).toEqual([]);
    expect(signed).toEqual([{ type: 'ContractSigned', data: { ...ids, ...copy } }]);
    const state = of(sent, ...opened, ...signed);
    expect(() => decideSign(state, { ...copy, nome: 'Bia' }, now)).toThrow('contracts.already_signed');
    expect(() => decideDecline(state, 'caro', now)).toThrow('contracts.already_signed');
    expect(() => decideRevoke(state)).toThrow('contracts.already_signed');
    expect(() => decideRemind(state, 'link', now)).toThrow('contracts.already_signed');
    expect(decideOpen(state, now)).toEqual([]);
  });

  it('is not signed once it has expired, was revoked or declined', () => {
    expect(() => decideSign(of(sent), copy, after(30))).toThrow('contracts.expired');
    expect(() => decideSign(of(sent, ...revoked), copy, now)).toThrow('contracts.revoked');
    expect(() => decideSign(of(sent, ...declined), copy, now)).toThrow('contracts.declined');
    expect(() => decideSign(of(), copy, now)).toThrow('contracts.request_not_found');
    expect(decideRevoke(of(sent, ...revoked))).toEqual([]);
    expect(decideOpen(of(sent), after(30))).toEqual([]);
  });

  it('can be withdrawn from for seven days after it was signed, once', () => {
    const state = of(sent, ...signed);
    const withdrawn = decideWithdraw(state, new Date(after(7).getTime() - 1));
    expect(withdrawn).toEqual([{ type: 'ContractWithdrawn', data: ids }]);
    expect(decideWithdraw(of(sent, ...signed, ...withdrawn), now)).toEqual([]);
    expect(() => decideWithdraw(state, after(7))).toThrow('contracts.too_late_to_withdraw');
    expect(() => decideWithdraw(of(sent), now)).toThrow('contracts.not_signed');
  });
});

describe('editing a contract', () => {
  const created: ContractEvent = {
    type: 'ContractCreated',
    data: { contract_id: 'contract', titulo: 'a', tipo: 'termo_personal', conteudo: 'b' },
  };
  const state = given(contract, created);

  it('makes a new version of what was sent, and replaces what was not', () => {
    const revised = (versao: number) => [
      { type: 'ContractRevised', data: { ...created.data, versao, conteudo: 'c' } },
    ];
    expect(decideChange(state, { conteudo: 'c' }, false)).toEqual(revised(1));
    const next = decideChange(state, { conteudo: 'c' }, true);
    expect(next).toEqual(revised(2));
    expect(given(contract, created, ...next)).toMatchObject({
      versoes: [
        { titulo: 'a', conteudo: 'b' },
        { titulo: 'a', conteudo: 'c' },
      ],
    });
  });

  it('says nothing where nothing differs, and keeps the version where only the kind does', () => {
    expect(decideChange(state, { titulo: 'a', conteudo: 'b', is_active: true }, true)).toEqual([]);
    expect(decideChange(state, { tipo: 'termo_aluno' }, true)).toMatchObject([{ data: { versao: 1 } }]);
    expect(decideChange(state, { is_active: false }, true)).toEqual([
      { type: 'ContractDeactivated', data: { contract_id: 'contract' } },
    ]);
    expect(() => decideChange(given(contract), {}, false)).toThrow('contracts.not_found');
  });
});
