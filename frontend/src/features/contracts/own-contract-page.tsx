import { useParams } from 'react-router-dom';
import { SignablePage } from './signable-page.js';

/** One contract of the signed-in student. */
export default function OwnContractPage() {
  const { id = '' } = useParams();
  return <SignablePage reader={{ as: 'student', id }} back="/aluno" />;
}
