import { Problem } from '../../platform/http/problem.js';
import { FULL_AGE, guardianRole, isMinor, youngest } from './age.api.js';
import type { Signature } from './contracts.api.js';
import type { SignedCopy } from './signature-request.js';

type Signer = Pick<Signature, 'cpf' | 'nascimento' | 'responsavel'>;

interface Known {
  /** In the trainer's time zone. */
  today: string;
  /** The birth date that the trainer recorded. */
  recorded: string | null;
  /** Whether the contract asks for the birth date. */
  asks: boolean;
}

/**
 * The signer of a contract: the student alone, or a minor's guardian, whatever the contract asks for. Somebody is a minor by the
 * recorded or by the typed birth date. @throws Problem 422 at the field that is missing or invalid
 */
export function signedBy(
  { cpf, nascimento, responsavel }: Signer,
  { today, recorded, asks }: Known,
): Pick<SignedCopy, 'nascimento' | 'responsavel'> {
  if (asks && nascimento === null) throw refusal('/nascimento', 'Informe a data de nascimento');
  if (nascimento !== null && nascimento > today) throw refusal('/nascimento', 'Confira a data de nascimento');
  const birth = youngest(nascimento, recorded);
  if (birth === null || !isMinor(birth, today))
    return { nascimento: asks ? nascimento : null, responsavel: null };
  if (nascimento !== null && !isMinor(nascimento, today))
    throw refusal(
      '/nascimento',
      `No cadastro, o aluno tem menos de ${FULL_AGE} anos. Confira a data ou fale com seu personal.`,
    );
  if (responsavel === null)
    throw refusal(
      '/responsavel',
      guardianRole(birth, today) === 'representa'
        ? `Menor de ${FULL_AGE} anos: quem assina é o responsável`
        : `Menor de ${FULL_AGE} anos: o responsável assina junto com o aluno`,
    );
  if (responsavel.cpf === cpf)
    throw refusal('/responsavel/cpf', 'Informe o CPF do responsável, não o do aluno');
  const { nascimento: bornOn, ...guardian } = responsavel;
  if (bornOn !== null && isMinor(bornOn, today))
    throw refusal('/responsavel/nascimento', `O responsável precisa ter ${FULL_AGE} anos ou mais`);
  return { nascimento: birth, responsavel: guardian };
}

interface Signed {
  assinado_em: Date | null;
  /** As signed. */
  nascimento: string | null;
  /** As recorded now. */
  recorded: string | null;
  responsavel: unknown;
}

/** Whether a minor signed without a guardian, which was possible until contracts asked for one by themselves. */
export function lacksGuardian(
  { assinado_em, nascimento, recorded, responsavel }: Signed,
  timezone: string,
): boolean {
  const birth = youngest(nascimento, recorded);
  return (
    assinado_em !== null &&
    responsavel === null &&
    birth !== null &&
    isMinor(birth, assinado_em.toLocaleDateString('sv-SE', { timeZone: timezone }))
  );
}

const refusal = (pointer: string, detail: string) =>
  new Problem('broken_rule', { errors: [{ pointer, detail }] });
