import { Link } from 'react-router-dom';
import { CreditTag } from './credit-tag.js';
import { useStudent } from './students.queries.js';
import classes from './student-field.module.css';

/** A student's credits, with a link to the statement. */
export function Balance({ studentId }: { studentId: string }) {
  const { data } = useStudent(studentId);
  if (!data || data.esquecido) return null;
  return (
    <Link
      to={`/alunos/${studentId}?aba=extrato`}
      className={classes.statement}
      aria-label={`Ver extrato de ${data.nome}`}
    >
      <CreditTag credits={data.creditos} />
    </Link>
  );
}
