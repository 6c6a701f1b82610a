import { useParams } from 'react-router-dom';
import { History } from '../../features/audit/history.js';
import { ContractDetail } from '../../features/contracts/contract-detail.js';

export default function Contract() {
  const { id = '' } = useParams();
  return <ContractDetail id={id} history={<History kind="contract" id={id} />} />;
}
