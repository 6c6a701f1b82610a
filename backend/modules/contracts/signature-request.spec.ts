import { describe, expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import type { Problem } from '../../platform/http/problem.js';
import { contract, type ContractEvent, decideChange } from './contract.js';
import { contractsHistory } from './contracts.history.js';
import { guardianRole } from './age.api.js';
import { lacksGuardian, signedBy } from './guardian.js';
import { policiesInWords } from './sending.commands.js';
import { confirmedAt, decideConfirmCode, decideSendCode } from './mailed-code.js';
import {
  decideDecline,
  decideDownload,
  decideKeepCopy,
  decideOpen,
  decideRemind,
  decideRemindByItself,
  decideRestore,
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
    versao: 1,
    token_hash: 'aa',
    canal: 'link',
    campos: [],
    expires_at: after(30).toISOString(),
    lembrete_em: after(3).toISOString(),
  },
};
const copy: SignedCopy = {
  versao: 1,
  titulo: 'a',
  conteudo: 'b',
  nome: 'Ana',
  cpf: '52998224725',
  telefone: '+5511943214321',
  ip_address: null,
  navegador: null,
  consent_data_processing: true,
  consent_terms: true,
  consentimento: '2026-11-22',
  conteudo_hash: 'ef',
  codigo_hash: 'cd',
  meio: 'link',
  assinado_em: now.toISOString(),
  guardar_ate: '2031-12-31',
  sal: 'ab',
  nascimento: null,
  responsavel: null,
  codigo_confirmado_em: null,
};
const made = { arquivo_hash: 'ab', carimbo_em: null };
const of = (...events: SignatureRequestEvent[]) => given(signatureRequest, ...events);
const signed = decideSign(of(sent), copy, now);
const declined = decideDecline(of(sent), 'caro', now);
const revoked = decideRevoke(of(sent));

describe('a contract that was sent to a student', () => {
  it.each([
    [[{ campo: 'aluno' as const, texto: 'Ana' }], 'Enviou a versão 1 do contrato para Ana assinar'],
    [[], 'Enviou a versão 1 do contrato para o aluno assinar'],
  ])('is told in the history, with the name that the text has: %j', (campos, words) => {
    expect(contractsHistory.ContractSent.words({ ...sent.data, campos }, 'America/Sao_Paulo')).toBe(words);
  });

  it('is opened once, signed once, and cannot change afterwards', () => {
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

  it('cannot be signed once it has expired, was revoked or was declined', () => {
    expect(() => decideSign(of(sent), copy, after(30))).toThrow('contracts.expired');
    expect(() => decideSign(of(sent, ...revoked), copy, now)).toThrow('contracts.revoked');
    expect(() => decideSign(of(sent, ...declined), copy, now)).toThrow('contracts.declined');
    expect(() => decideSign(of(), copy, now)).toThrow('contracts.request_not_found');
    expect(decideRevoke(of(sent, ...revoked))).toEqual([]);
    expect(decideOpen(of(sent), after(30))).toEqual([]);
  });

  it('can be signed again in its former state when its revocation is undone', () => {
    const restored = decideRestore(of(sent, ...revoked), now);
    expect(restored).toEqual([{ type: 'ContractRestored', data: ids }]);
    const opened = decideOpen(of(sent), now);
    expect(of(sent, ...revoked, ...restored)).toMatchObject({ status: 'sent' });
    expect(of(sent, ...opened, ...revoked, ...restored)).toMatchObject({ status: 'opened' });
    expect(decideSign(of(sent, ...revoked, ...restored), copy, now)).toEqual(signed);
    expect(decideRestore(of(sent), now)).toEqual([]);
    expect(() => decideRestore(of(sent, ...revoked), after(30))).toThrow('contracts.expired');
    expect(() => decideRestore(of(sent, ...declined), now)).toThrow('contracts.declined');
    expect(() => decideRestore(of(sent, ...signed), now)).toThrow('contracts.already_signed');
  });

  it('has two automatic reminders: some days after the sending, and before the link expires', () => {
    const due = (days: number, ...events: SignatureRequestEvent[]) =>
      decideRemindByItself(of(sent, ...events), after(days));
    expect(due(2.9)).toEqual([]);
    const first = due(3);
    expect(first).toEqual([
      {
        type: 'ContractReminded',
        data: { ...ids, canal: 'email', automatico: true, lembrete_em: after(28).toISOString() },
      },
    ]);
    expect([due(3, ...first), due(27.9, ...first)]).toEqual([[], []]);
    const last = due(28, ...first);
    expect(last).toMatchObject([{ data: { lembrete_em: null } }]);
    expect(due(29, ...first, ...last)).toEqual([]);
    // A worker that was down for weeks does not send both.
    expect(due(29)).toMatchObject([{ data: { lembrete_em: null } }]);
    for (const end of [signed, declined, revoked]) expect(due(4, ...end)).toEqual([]);
    expect(due(30)).toEqual([]);
  });

  it('has no automatic reminder if the trainer has sent one after it was due', () => {
    const early = decideRemind(of(sent), 'link', after(1));
    expect(decideRemindByItself(of(sent, ...early), after(3))).toHaveLength(1);
    const late = decideRemind(of(sent), 'link', after(4));
    expect(decideRemindByItself(of(sent, ...late), after(5))).toEqual([]);
    expect(decideRemindByItself(of(sent, ...late), after(28))).toHaveLength(1);
  });

  it('has one PDF once it is signed, whose first download by each side is recorded', () => {
    expect(() => decideKeepCopy(of(sent), made)).toThrow('contracts.not_signed');
    expect(() => decideDownload(of(sent, ...signed), 'aluno')).toThrow('contracts.copy_not_ready');
    const kept = decideKeepCopy(of(sent, ...signed), made);
    expect(kept).toEqual([{ type: 'ContractCopyMade', data: { ...ids, ...made } }]);
    const state = of(sent, ...signed, ...kept);
    expect(decideKeepCopy(state, { ...made, arquivo_hash: 'cd' })).toEqual([]);
    const taken = decideDownload(state, 'aluno');
    expect(taken).toMatchObject([{ type: 'ContractDownloaded', data: { por: 'aluno' } }]);
    expect(decideDownload(of(sent, ...signed, ...kept, ...taken), 'aluno')).toEqual([]);
    expect(decideDownload(of(sent, ...signed, ...kept, ...taken), 'personal')).toHaveLength(1);
  });

  it('can be withdrawn from once, until the end of the seventh day after the one of the signature', () => {
    const state = of(sent, ...signed);
    const zone = 'America/Sao_Paulo';
    const withdrawn = decideWithdraw(state, zone, new Date('2026-11-29T23:59:59.999-03:00'));
    expect(withdrawn).toEqual([{ type: 'ContractWithdrawn', data: ids }]);
    expect(decideWithdraw(of(sent, ...signed, ...withdrawn), zone, now)).toEqual([]);
    for (const [where, when] of [
      [zone, '2026-11-30T00:00:00.000-03:00'],
      ['America/Rio_Branco', '2026-11-30T00:00:00.000-05:00'],
    ] as const)
      expect(() => decideWithdraw(state, where, new Date(when))).toThrow('contracts.too_late_to_withdraw');
    expect(() => decideWithdraw(of(sent), zone, now)).toThrow('contracts.not_signed');
  });
});

describe('a mailed code', () => {
  const address = 'ana@exemplo.com.br';
  const codeOf = (numero: number) => `00000${numero}`;
  const minutes = (count: number) => new Date(now.getTime() + count * 60_000);
  const mailed = decideSendCode(of(sent), address, now);
  const type = (typed: string, at = now, ...events: SignatureRequestEvent[]) =>
    decideConfirmCode(of(sent, ...mailed, ...events), typed, codeOf, at);
  const right = type('000001');
  const shown = (events: SignatureRequestEvent[], typed: string | null, at = now) => {
    const state = of(sent, ...events);
    return confirmedAt('codigo' in state ? state.codigo : null, typed, codeOf, at);
  };

  it('is confirmed, and accepted again when the signer sends it with the signature', () => {
    expect(mailed).toMatchObject([{ type: 'ContractCodeSent', data: { numero: 1, email: address } }]);
    expect(right).toMatchObject([{ type: 'ContractCodeConfirmed', data: { numero: 1 } }]);
    expect(type('000001', now, ...right)).toEqual([]);
    expect(shown([...mailed, ...right], '000001')).toBe(now.toISOString());
    for (const [events, typed] of [
      [[], '000001'],
      [mailed, '000001'],
      [[...mailed, ...right], null],
      [[...mailed, ...right], '000002'],
      [[...mailed, ...right, ...decideSendCode(of(sent, ...mailed), address, minutes(2))], '000001'],
    ] as const)
      expect(() => shown([...events], typed)).toThrow('contracts.mailed_code_missing');
    expect(() => shown([...mailed, ...right], '000001', minutes(30))).toThrow(
      'contracts.mailed_code_missing',
    );
  });

  it('is valid for half an hour and five tries', () => {
    const wrong = type('123456');
    expect(wrong).toMatchObject([{ type: 'ContractCodeMistyped' }]);
    const guesses = Array<SignatureRequestEvent[]>(5).fill(wrong).flat();
    expect(type('000001', now, ...guesses.slice(1))).toHaveLength(1);
    expect(() => type('000001', now, ...guesses)).toThrow('contracts.mailed_code_over');
    expect(() => type('000001', minutes(30))).toThrow('contracts.mailed_code_over');
    expect(() => decideConfirmCode(of(sent), '000001', codeOf, now)).toThrow('contracts.mailed_code_over');
  });

  it('is mailed at most once a minute and twenty times', () => {
    expect(() => decideSendCode(of(sent, ...mailed), address, minutes(0.9))).toThrow(
      'contracts.code_too_soon',
    );
    let events: SignatureRequestEvent[] = [];
    for (let n = 0; n < 20; n += 1)
      events = [...events, ...decideSendCode(of(sent, ...events), address, minutes(n))];
    expect(() => decideSendCode(of(sent, ...events), address, minutes(30))).toThrow(
      'contracts.too_many_codes',
    );
  });
});

describe('a guardian', () => {
  const guardian = { nome: 'Márcia', cpf: '11144477735', relacao: 'mãe', nascimento: null };
  const kept = { nome: 'Márcia', cpf: '11144477735', relacao: 'mãe' };
  interface Case {
    typed?: string | null;
    recorded?: string | null;
    by?: typeof guardian | { nascimento: string } | null;
    asks?: boolean;
  }
  const by = ({ typed = null, recorded = null, by: who = guardian, asks = false }: Case) =>
    signedBy(
      { cpf: '52998224725', nascimento: typed, responsavel: who && { ...guardian, ...who } },
      { today: '2026-03-01', recorded, asks },
    );
  const refused = (of: Case) => {
    try {
      by(of);
      return null;
    } catch (error) {
      return (error as Problem).errors?.[0]?.pointer;
    }
  };

  it('signs for a student under eighteen on that day, and not for others', () => {
    expect(by({ typed: '2008-03-01', asks: true })).toEqual({ nascimento: '2008-03-01', responsavel: null });
    expect(by({ typed: '2008-02-29', asks: true })).toEqual({ nascimento: '2008-02-29', responsavel: null });
    expect(by({ typed: '2008-03-02', asks: true })).toEqual({ nascimento: '2008-03-02', responsavel: kept });
    expect(refused({ asks: true })).toBe('/nascimento');
    expect(refused({ typed: '2026-03-02' })).toBe('/nascimento');
    expect(refused({ typed: '2012-01-01', by: null })).toBe('/responsavel');
  });

  it('signs for a student who is recorded as a minor, also where the contract asks for no birth date', () => {
    expect(refused({ recorded: '2012-01-01', by: null })).toBe('/responsavel');
    expect(by({ recorded: '2012-01-01' })).toEqual({ nascimento: '2012-01-01', responsavel: kept });
    expect(by({ recorded: '2008-03-01', by: null })).toEqual({ nascimento: null, responsavel: null });
    expect(by({ by: null })).toEqual({ nascimento: null, responsavel: null });
    // The birth date counts whose age is lower.
    expect(by({ recorded: '2012-01-01', typed: '2008-12-01' }).nascimento).toBe('2012-01-01');
    expect(by({ recorded: '1990-01-01', typed: '2008-12-01' })).toMatchObject({ responsavel: kept });
  });

  it('is not avoided by typing another birth date than the recorded one of a minor', () => {
    for (const asks of [true, false])
      expect(refused({ typed: '1990-01-01', recorded: '2008-03-02', asks })).toBe('/nascimento');
    for (const recorded of ['2008-03-01', '1991-01-01'])
      expect(by({ typed: '1990-01-01', recorded, by: null, asks: true })).toEqual({
        nascimento: '1990-01-01',
        responsavel: null,
      });
  });

  it('is neither the student nor another minor', () => {
    const minor = { typed: '2012-01-01' };
    expect(refused({ ...minor, by: { ...guardian, cpf: '52998224725' } })).toBe('/responsavel/cpf');
    expect(refused({ ...minor, by: { nascimento: '2008-03-02' } })).toBe('/responsavel/nascimento');
    expect(by({ ...minor, by: { nascimento: '2008-03-01' } }).responsavel).toEqual(kept);
  });

  it.each([
    ['2010-03-02', '2026-03-01', 'representa'],
    ['2010-03-01', '2026-03-01', 'assiste'],
    ['2008-03-02', '2026-03-01', 'assiste'],
    ['2008-03-01', '2026-03-01', null],
    ['2008-02-29', '2026-02-28', 'assiste'],
    ['2008-02-29', '2026-03-01', null],
    ['2008-02-29', '2024-02-28', 'representa'],
    ['2008-02-29', '2024-02-29', 'assiste'],
    [null, '2026-03-01', null],
  ])('of somebody born on %s signs on %s: %s', (birth, today, role) => {
    expect(guardianRole(birth, today)).toBe(role);
  });

  it('is missing in a signature of a minor alone, by the day of the signature in the zone', () => {
    const signedAt = new Date('2026-03-01T02:00:00Z');
    const of = { assinado_em: signedAt, nascimento: null, recorded: '2008-03-01', responsavel: null };
    expect(lacksGuardian(of, 'America/Sao_Paulo')).toBe(true);
    expect(lacksGuardian(of, 'UTC')).toBe(false);
    expect(lacksGuardian({ ...of, responsavel: kept }, 'America/Sao_Paulo')).toBe(false);
    expect(lacksGuardian({ ...of, nascimento: '2010-01-01', recorded: null }, 'UTC')).toBe(true);
    expect(lacksGuardian({ ...of, assinado_em: null }, 'America/Sao_Paulo')).toBe(false);
  });
});

describe('the policies in a contract', () => {
  const free = { cancel_limite_horas: 24, taxa_percent: 0, queima_credito: false };
  const strict = { cancel_limite_horas: 12, taxa_percent: 50, queima_credito: true };
  const at = (nome: string | null, policy: typeof free) => ({ nome, policy });
  const cost =
    'cancelamento sem custo até 12 h antes da sessão; depois disso, desconta 1 crédito e cobra taxa de 50% do valor da sessão';
  const none = 'cancelamento sem custo até 24 h antes da sessão';

  it('are that of the only place, that of all, or each with its places', () => {
    expect(policiesInWords([])).toBe(none);
    expect(policiesInWords([at('Parque', strict)])).toBe(cost);
    expect(policiesInWords([at('Clube', strict), at('Parque', strict)])).toBe(cost);
    const each = policiesInWords([
      at('Clube', strict),
      at('Parque', strict),
      at('Casa', free),
      at(null, free),
    ]);
    expect(each).toBe(`Clube ou Parque: ${cost}. Casa ou sem local definido: ${none}`);
  });

  it('names the place of a student where another place of the trainer costs something else', () => {
    expect(policiesInWords([at('Clube', free)], [at('Parque', strict)])).toBe(`Clube: ${none}`);
    expect(policiesInWords([at('Clube', free)], [at('Parque', free)])).toBe(none);
  });

  it('ends at the start of the session where no notice is asked for', () => {
    expect(policiesInWords([at('Clube', { ...strict, cancel_limite_horas: 0 })])).toMatch(
      /^cancelamento sem custo até o início da sessão;/,
    );
  });
});

describe('editing a contract', () => {
  const created: ContractEvent = {
    type: 'ContractCreated',
    data: { contract_id: 'contract', titulo: 'a', tipo: 'termo_personal', conteudo: 'b' },
  };
  const state = given(contract, created);

  it('adds a version if the last one was sent, and otherwise replaces it', () => {
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

  it('is undone only while what it changed stands', () => {
    const edited = decideChange(state, { conteudo: 'c', responsavel: true }, false);
    const after = given(contract, created, ...edited);
    const back = { conteudo: 'b', responsavel: false, se_ainda: { conteudo: 'c', responsavel: true } };
    expect(given(contract, created, ...edited, ...decideChange(after, back, false))).toEqual(state);
    const again = decideChange(after, { conteudo: 'd' }, false);
    expect(() => decideChange(given(contract, created, ...edited, ...again), back, false)).toThrow(
      expect.objectContaining({ code: 'changed_since' }),
    );
  });

  it('records nothing without a difference, and keeps the version if only the kind changes', () => {
    expect(decideChange(state, { titulo: 'a', conteudo: 'b', is_active: true }, true)).toEqual([]);
    expect(decideChange(state, { tipo: 'termo_aluno' }, true)).toMatchObject([{ data: { versao: 1 } }]);
    expect(decideChange(state, { is_active: false }, true)).toEqual([
      { type: 'ContractDeactivated', data: { contract_id: 'contract' } },
    ]);
    const asked = { contract_id: 'contract', codigo_email: true, responsavel: false, lembretes: true };
    expect(decideChange(state, { codigo_email: true, responsavel: false }, true)).toEqual([
      { type: 'ContractRequirementsSet', data: asked },
    ]);
    expect(() => decideChange(given(contract), {}, false)).toThrow('contracts.not_found');
  });
});
