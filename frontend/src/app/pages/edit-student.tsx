import { History } from '../../features/audit/history.js';
import { StudentCharges } from '../../features/charges/student-charges.js';
import { CreditAccount } from '../../features/credits/credit-account.js';
import { RenewButton } from '../../features/credits/renew-button.js';
import { Statement } from '../../features/credits/statement.js';
import { PlanField } from '../../features/plans/plan-field.js';
import { usePlanName } from '../../features/plans/plans.queries.js';
import { EditStudentPage } from '../../features/students/edit-student-page.js';

export default function EditStudent() {
  const planName = usePlanName();
  return (
    <EditStudentPage
      PlanField={PlanField}
      planName={planName}
      credits={({ id, nome, plano, arquivado, esquecido }) => (
        <CreditAccount
          studentId={id}
          closed={esquecido}
          renew={
            plano &&
            plano.creditos > 0 &&
            !arquivado && (
              <RenewButton studentId={id} studentName={nome} planCredits={plano.creditos} variant="filled" />
            )
          }
        />
      )}
      charges={({ id, plano, arquivado, esquecido }) => (
        <StudentCharges studentId={id} planId={plano?.id ?? null} closed={arquivado || esquecido} />
      )}
      statement={(id) => <Statement studentId={id} />}
      history={(id) => <History kind="student" id={id} />}
    />
  );
}
