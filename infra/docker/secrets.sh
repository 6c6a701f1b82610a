#!/bin/sh
# Creates the secrets that docker-compose.yml gives to its containers: one file each in ./secrets, which only this user may
# enter. Existing files stay. Secrets of an earlier version are taken from .env; optional secrets begin empty.
set -eu
mkdir -p secrets
chmod 700 secrets

kept() { sed -n "s/^$1=//p" .env 2>/dev/null || true; }
random() { od -An -tx1 -N24 /dev/urandom | tr -d ' \n'; }
# Docker mounts the file with its permissions, and each container reads it as a different user.
secret() {
  [ -e "secrets/$1" ] || printf '%s\n' "$2" > "secrets/$1"
  chmod 444 "secrets/$1"
}
# The password from .env, or a new one.
password() { was=$(kept "$1"); echo "${was:-$(random)}"; }
address() { echo "postgres://$1:$2@postgres:5432/$3"; }

secret postgres_password "$(password POSTGRES_PASSWORD)"
secret redis_password "$(password REDIS_PASSWORD)"
secret database_admin_url "$(address postgres "$(cat secrets/postgres_password)" postgres)"
secret database_url "$(address rende_app "$(password RENDE_APP_PASSWORD)" rende)"
secret database_owner_url "$(address rende_owner "$(password RENDE_OWNER_PASSWORD)" rende)"
secret database_projector_url "$(address rende_projector "$(password RENDE_PROJECTOR_PASSWORD)" rende)"
secret redis_url "redis://:$(cat secrets/redis_password)@redis:6379"
key=$(kept RENDE_MASTER_KEY)
secret rende_master_key "${key:-$(head -c 32 /dev/urandom | base64)}"
secret smtp_url "$(kept SMTP_URL)"
secret google_client_secret "$(kept GOOGLE_CLIENT_SECRET)"
secret mail_hook_secret "$(kept MAIL_HOOK_SECRET)"
secret apple_private_key "$(kept APPLE_PRIVATE_KEY)"
secret pdf_certificate "$(kept PDF_CERTIFICATE)"
secret pdf_private_key "$(kept PDF_PRIVATE_KEY)"
secret vapid_private_key "$(kept VAPID_PRIVATE_KEY)"
secret advisor_api_key "$(kept ADVISOR_API_KEY)"
secret otel_headers "$(kept OTEL_EXPORTER_OTLP_HEADERS)"
secret seals_bucket_secret "$(kept SEALS_BUCKET_SECRET)"
