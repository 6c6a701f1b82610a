import { describe, expect, it } from '@jest/globals';
import { comparing, namedIn, type OpenCharge, refundedBy } from './matching.js';

const charge = (id: string, student_nome: string | null, more: Partial<OpenCharge> = {}): OpenCharge => ({
  id,
  student_nome,
  pagador_nome: null,
  descricao: 'Plano',
  falta: 40_000,
  vencimento: '2026-11-05',
  totalOn: () => more.falta ?? 40_000,
  ...more,
});
const line = (texto: string, more: object = {}) => ({
  chave: 'k',
  data: '2026-11-06',
  valor: 40_000,
  texto,
  ...more,
});
const found = (one: ReturnType<typeof line>, charges: readonly OpenCharge[]) =>
  comparing(charges)(one).map(({ charge_id, certeza, porque }) => [charge_id, certeza, porque.join(' ')]);

describe('money that came in', () => {
  const charges = [
    charge('bia', 'Bia Souza', { vencimento: '2026-11-20' }),
    charge('joao', 'João da Silva'),
    charge('joao2', 'João da Silva', { vencimento: '2026-12-05' }),
    charge('more', 'João Pedro da Silva', { falta: 90_000 }),
    charge('less', 'João da Silva', { falta: 30_000 }),
    charge('old', 'João da Silva', { vencimento: '2026-05-05' }),
    charge('gone', null, { vencimento: '2026-10-01' }),
  ];

  it('is matched by what is left, and by what the day makes of it', () => {
    const late = charge('late', 'João da Silva', {
      totalOn: (day) => (day === '2026-11-06' ? 40_813 : 40_827),
    });
    const certainty = (valor: number) => found(line('PIX JOAO DA SILVA', { valor }), [late]);
    expect([40_000, 40_813].map(certainty)).toEqual(Array(2).fill([['late', 'alta', 'valor nome data']]));
    expect(certainty(40_500)).toEqual([['late', 'baixa', 'parte_do_valor nome data']]);
    expect(certainty(40_814)).toEqual([]);
  });

  it('is matched by the name, charges due on that day first', () => {
    expect(found(line('PIX RECEBIDO - JOAO DA SILVA'), charges)).toEqual([
      ['joao', 'alta', 'valor nome data'],
      ['joao2', 'alta', 'valor nome'],
      ['more', 'baixa', 'parte_do_valor nome data'],
    ]);
  });

  it('with only the first name, or none, is less certain', () => {
    expect(found(line('Pix João'), charges.slice(0, 2))).toEqual([
      ['joao', 'media', 'valor primeiro_nome data'],
      ['bia', 'baixa', 'valor'],
    ]);
    expect(found(line('Transferência recebida'), charges.slice(0, 2))).toEqual([
      ['joao', 'media', 'valor data'],
      ['bia', 'baixa', 'valor'],
    ]);
  });

  it('below the amount due is a partial payment only with the full name', () => {
    expect(found(line('JOAO PEDRO SILVA', { valor: 45_000 }), charges)).toEqual([
      ['more', 'baixa', 'parte_do_valor nome data'],
    ]);
    expect(found(line('JOAO', { valor: 45_000 }), charges)).toEqual([]);
  });

  it('above the amount due matches no charge, nor does outgoing money', () => {
    expect(found(line('JOAO DA SILVA', { valor: 40_001 }), charges.slice(0, 3))).toEqual([]);
    expect(found(line('JOAO DA SILVA', { valor: -40_000 }), charges)).toEqual([]);
  });

  it('is not matched by particles of names or parts of words', () => {
    expect(found(line('PIX DA ANAJULIA'), [charge('a', 'Ana da Luz', { vencimento: '2026-10-01' })])).toEqual(
      [['a', 'baixa', 'valor']],
    );
  });

  it('is matched by a name whose letters banks write plainly', () => {
    expect(found(line('PIX LUKASZ SOERENSEN STRASS'), [charge('l', 'Łukasz Strass')])[0]![2]).toContain(
      'nome',
    );
  });

  it('reads the name of a charge once, however many lines there are', () => {
    let read = 0;
    const charges = Array.from({ length: 50 }, (_, n) => {
      const one = charge(`c${n}`, null);
      return Object.defineProperty(one, 'student_nome', {
        get: () => ((read += 1), `Ana Prado ${n}`),
        enumerable: false,
      });
    });
    const compare = comparing(charges);
    for (let n = 0; n < 100; n++) expect(compare(line('ANA PRADO'))).toHaveLength(3);
    expect(read).toBe(50);
  });
});

describe('the student of a line', () => {
  const student = (id: string, nome: string, pagador_nome: string | null = null) => ({
    id,
    nome,
    pagador_nome,
  });
  const ana = student('ana', 'Ana Prado');
  const of = (texto: string, students = [ana], valor = 5_000) =>
    namedIn(students)(line(texto, { valor }))?.id ?? null;

  it('is the only one whose name it has, a full name before a first one', () => {
    expect(of('PIX ANA PRADO', [ana, student('other', 'Ana Lima')])).toBe('ana');
    expect(of('PIX ANA')).toBe('ana');
    expect(of('PIX RUI COSTA', [student('bia', 'Bia Costa', 'Rui Costa')])).toBe('bia');
  });

  it('is nobody where several have it, or the money went out', () => {
    expect(of('PIX ANA', [ana, student('other', 'Ana Lima')])).toBeNull();
    expect(of('PIX ANA PRADO', [ana, student('other', 'Ana Clara Prado')])).toBeNull();
    expect(of('PIX ANA PRADO', [ana], -5_000)).toBeNull();
  });
});

it('an outgoing line may be the nearest refund of its amount, within a week', () => {
  const refund = (id: string, dia: string, valor = 40_000) => ({
    id,
    dia,
    valor,
    student_nome: null,
    descricao: null,
  });
  const refunds = [
    refund('far', '2026-11-01'),
    refund('near', '2026-11-08'),
    refund('more', '2026-11-06', 1),
  ];
  const of = (more: object) => refundedBy(line('PIX', more), refunds)?.id ?? null;
  expect(of({ valor: -40_000 })).toBe('near');
  expect([of({ valor: 40_000 }), of({ valor: -40_001 }), of({ valor: -40_000, data: '2026-11-16' })]).toEqual(
    [null, null, null],
  );
});
