import { Problem } from '../../platform/http/problem.js';
import { FULL_AGE, isMinor } from './age.api.js';
import type { Signature } from './contracts.api.js';
import type { SignedCopy } from './signature-request.js';

type Signer = Pick<Signature, 'cpf' | 'nascimento' | 'responsavel'>;

/**
 * The signer of a contract that asks for the birth date: the guardian of a minor, or the student alone. `today` is the date in
 * the trainer's time zone, `recorded` the birth date that the trainer recorded. @throws Problem 422 at the field that is missing
 * or invalid
 */
export function signedBy(
  { cpf, nascimento, responsavel }: Signer,
  today: string,
  recorded: string | null,
): Pick<SignedCopy, 'nascimento' | 'responsavel'> {
  if (nascimento === null) throw refusal('/nascimento', 'Informe a data de nascimento');
  if (nascimento > today) throw refusal('/nascimento', 'Confira a data de nascimento');
  if (!isMinor(nascimento, today)) {
    if (recorded !== null && isMinor(recorded, today))
      throw refusal(
        '/nascimento',
        `No cadastro, o aluno tem menos de ${FULL_AGE} anos. Confira a data ou fale com seu personal.`,
      );
    return { nascimento, responsavel: null };
  }
  if (responsavel === null)
    throw refusal('/responsavel', `Menor de ${FULL_AGE} anos: quem assina é o responsável`);
  if (responsavel.cpf === cpf)
    throw refusal('/responsavel/cpf', 'Informe o CPF do responsável, não o do aluno');
  return { nascimento, responsavel };
}

const refusal = (pointer: string, detail: string) =>
  new Problem('broken_rule', { errors: [{ pointer, detail }] });
