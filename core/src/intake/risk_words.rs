//! The words that hint at a risk, by category and language; [`super::risk_pattern`] explains the notation.

use super::risk::RiskCategory::{
    self, Destructive, Incident, Migration, Payment, Privacy, PublicApi, Security,
};

/// Words that end the reach of `~`: what follows them is another matter, as in `drop support for tables`.
pub(super) const GAP_ENDS: &[&str] = &["down", "shadow", "zone", "support", "for", "and", "or", "then"];

/// Sets of words that several patterns share.
pub(super) const SETS: &[(&str, &str)] = &[
    (
        "delete",
        "delete|deletes|deleted|deleting|deletion|destroy|destroys|destroyed|destroying|purge|purges|purged|purging|\
         wipe|wipes|wiped|wiping|erase|erases|erased|erasing|nuke",
    ),
    (
        "store",
        "data|database|databases|db|dataset|datasets|record|records|row|rows|table|tables|user|users|account|accounts|\
         customer|customers|tenant|tenants|backup|backups|bucket|buckets|volume|volumes|disk|disks|drive|drives|\
         snapshot|snapshots|cluster|clusters|production|prod|environment|infrastructure|everything",
    ),
    (
        "kept",
        "data|database|databases|dataset|datasets|records|accounts|customers|tenants|backup|backups|production|prod",
    ),
    ("table", "table|tables|column|columns|database|databases|schema|schemas|partition|partitions|keyspace"),
    ("api", "api|apis|endpoint|endpoints|route|routes|field|fields|method|methods|webhook|webhooks|sdk"),
    // German
    ("löschen", "lösch*|loesch*|gelöscht*|geloescht*|vernichte*|leeren|geleert*"),
    (
        "daten",
        "daten*|kundendaten*|nutzerdaten*|benutzerdaten*|tabelle*|konten|konto|kundenkonten|nutzerkonten|benutzer|kunden",
    ),
    // French
    ("supprimer", "supprim*|suppression*|effac*|purger|purge|détrui*|destruction"),
    ("données", "données|donnée|table|tables|base|bases|colonne|colonnes|compte|comptes|utilisateurs"),
    // Spanish, Portuguese, Italian
    (
        "borrar",
        "borrar|borra|borrado|eliminar|elimina|destruir|purgar|apagar|apaga|excluir|exclui|deletar|remover|eliminare|\
         cancellare|cancella|distruggere|rimuovere|svuotare|vaciar",
    ),
    (
        "datos",
        "datos|dados|dati|tabla|tablas|tabela|tabelas|tabella|tabelle|columna|columnas|coluna|colunas|colonna|colonne|\
         base|banco|database|usuarios|usuários|utenti|cuentas|contas|account",
    ),
    // Russian
    ("удалить", "удали*|удаля*|удалени*|очисти*|очистк*|стереть|уничтож*|сброс*"),
    ("данные", "данн*|таблиц*|баз*|колонк*|столб*|пользовател*|аккаунт*"),
];

/// Patterns of words, by category.
pub(super) const WORDS: &[(RiskCategory, &[&str])] = &[
    (Security, SECURITY),
    (Payment, PAYMENT),
    (Migration, MIGRATION),
    (Destructive, DESTRUCTIVE),
    (Incident, INCIDENT),
    (Privacy, PRIVACY),
    (PublicApi, PUBLIC_API),
];

const SECURITY: &[&str] = &[
    "auth|authn|authz|oauth|oidc|openid|sso|saml|jwt|jwts|ldap|kerberos|mfa|2fa|totp|webauthn|passkey|passkeys",
    "o auth",
    "authentication|authenticate|authenticates|authenticated|authenticating|authenticator|unauthenticated",
    "authorization|authorisation|authorize|authorizes|authorized|authorizing|authorise|authorises|authorised|authorising",
    "unauthorized|unauthorised|reauthenticate|reauthentication",
    "two|multi factor",
    "login|logins|logon|signin|relogin",
    "-the|a|an|this|that|each|every|error|debug|audit|server|access|event|trace|change|git log|logs in",
    "log in page|form|screen|button|flow|view|endpoint",
    "logged|logging in as|user|users|with|to",
    "-the|a|an|this|that|each|every sign|signs|signed|signing in",
    "sign in page|form|screen|button|flow|view|endpoint",
    "password|passwords|passwordless|passwd|passphrase|passphrases|passcode|passcodes",
    "credential|credentials|secret|secrets !santa|sauce",
    "apikey|apikeys",
    "api|private|secret|signing|ssh|gpg|encryption|master|service key|keys",
    "access|auth|authentication|authorization|refresh|bearer|session|api|id|csrf|reset|security|personal token|tokens",
    "rotate|revoke|expire|leak|leaked|steal|stolen|issue|sign|verify|validate ~2 token|tokens !stream|lexer|parser|tokenizer",
    "token|tokens expiry|expiration|revocation|rotation|refresh|theft|leak|signing|introspection",
    "encrypt|encrypts|encrypted|encrypting|encryption|unencrypted|decrypt|decrypts|decrypted|decrypting|decryption",
    "crypto|cryptography|cryptographic|tls|mtls|ssl",
    "tls|ssl|x509|client|server|root|ca|signing|wildcard|https certificate|certificates|cert|certs",
    "certificate|certificates authority|rotation|renewal|expiry|expiration|pinning|chain|revocation",
    "security|vulnerability|vulnerabilities|cve|cves|xss|csrf|xsrf|ssrf|rce|rbac|acl|acls",
    "sql|command|code injection",
    "access control|controls",
    "privilege|privileges escalation",
    "session cookie|cookies|hijacking|fixation",
    // German
    "authentifizier*|authentisier*|autorisier*|anmeldung*|anmeldedaten|anmeldeseite|anmeldeformular|einloggen|eingeloggt",
    "benutzeranmeldung|nutzeranmeldung|zugangsdaten|passwort*|passwört*|passwoert*|kennwort*|kennwört*|kennwoert*",
    "verschlüssel*|verschluessel*|entschlüssel*|entschluessel*|geheimnis|geheimnisse|sicherheit|sicherheits*",
    "api schlüssel|schluessel|schlüssels",
    "zugriffstoken|zugriffsrecht*|berechtigung*",
    // French
    "authentification*|authentifi*|autorisation*|autoriser|identifiants|chiffrement*|chiffrer|déchiffr*|sécurité|vulnérabilité*",
    "mot|mots de passe",
    "page|formulaire|écran|bouton de connexion",
    "clé|clés api|privée|privées|secrète|secrètes",
    "clé|clés d api",
    "jeton|jetons d accès|authentification",
    // Spanish, Portuguese, Italian
    "autenticación|autenticar|autenticado|autorización|autorizar|contraseña|contraseñas|credencial|credenciales|cifrado|cifrar",
    "encriptar|encriptación|encriptado|descifrar|secreto|secretos|seguridad|vulnerabilidad|vulnerabilidades",
    "inicio de sesión",
    "iniciar|inicia|inician sesión",
    "clave|claves|llave|llaves|chave|chaves|chiave|chiavi api|privada|privadas|secreta|privata|private|segreta",
    "clave|claves|llave|llaves|chave|chaves|chiave|chiavi de|di|da api",
    "token|tokens de|di acceso|acesso|accesso|autenticación|autenticação|autenticazione",
    "autenticação|autenticador|autorização|senha|senhas|credenciais|criptografia|criptografar|criptografado|segredo|segredos",
    "segurança|vulnerabilidade|vulnerabilidades",
    "autenticazione|autenticare|autorizzazione|autorizzare|credenziali|credenziale|crittografia|crittografare|cifratura",
    "cifrare|decifrare|segreto|segreti|sicurezza|vulnerabilità",
    // Russian
    "аутентифи*|авториз*|парол*|логин|логина|логины|логином|безопасност*|уязвимост*|шифрован*|зашифр*|расшифр*|дешифр*",
    "секрет|секрета|секреты|секретов|секретами|секретный|секретные|секретных",
    "учетн* данн*",
    "вход|входа в систему",
    "ключ|ключа|ключи|ключей api|апи",
    "токен* доступ*|авториз*|аутентифи*",
];

const PAYMENT: &[&str] = &[
    "payment|payments|payable|billing|payroll|payout|payouts|refund|refunds|chargeback|chargebacks|iban|pci|paypal",
    "invoice|invoices|invoicing",
    "pay pal",
    "3d secure",
    "-git|svn|sparse|main|clean|fresh|local|shallow checkout|checkouts !branch|branches|repo|repository|commit|tag|code|git|submodule",
    "credit|debit|payment card|cards",
    "card number|numbers",
    "bank account|accounts|transfer|transfers",
    "money transfer|transfers",
    "subscription plan|plans|billing|renewal|renewals|fee|fees",
    "-zebra stripe !pattern|patterns|rows|background|color|colour|css",
    // German
    "zahlung*|bezahl*|rechnung|rechnungen|rechnungs*|abrechnung*|kreditkarte*|lastschrift*|rückerstattung*|rueckerstattung*",
    // French
    "paiement|paiements|facturation|facture|factures|facturer|remboursement|remboursements",
    "carte|cartes bancaire|bancaires",
    "carte|cartes de crédit|paiement",
    // Spanish, Portuguese, Italian
    "pago|pagos|facturación|factura|facturas|facturar|reembolso|reembolsos|cobro|cobros",
    "tarjeta|tarjetas|cartão|cartões de crédito|débito",
    "pagamento|pagamentos|faturamento|fatura|faturas|cobrança|cobranças",
    "pagamenti|fatturazione|fattura|fatture|rimborso|rimborsi",
    "carta|carte di credito|debito",
    // Russian
    "платеж*|оплат*|биллинг*",
    "кредитн*|банковск* карт*",
    "возврат* средств|денег",
];

const MIGRATION: &[&str] = &[
    "migration|migrations|migrate|migrates|migrated|migrating|migrator|backfill|backfills|backfilling",
    "schema|schemas change|changes|changing|upgrade|upgrades|evolution|migration|migrations",
    "change|changes|changing|alter|altering|modify|modifying|evolve ~3 schema|schemas !json|graphql",
    "alter table|tables|column|columns",
    // German
    "migrations*|migrieren|migriert|migriere|migrierung|datenmigration*|datenbankmigration*|schemamigration*",
    "schemaänderung*|schemaaenderung*",
    "schema ändern|aendern|geändert",
    // French
    "migrer|migrez|migrons",
    "changement|changements|modification|modifications de|du schéma",
    // Spanish, Portuguese, Italian
    "migración|migraciones|migrar|migração|migrações|migrazione|migrazioni|migrare",
    "cambio|cambios|mudança|mudanças|alteração|alterações|modifica|modifiche|modificación ~1 esquema|schema",
    // Russian
    "миграция|миграции|миграцию|миграций|миграцией|миграциям|миграциями|мигрир*",
    "изменени*|изменить|изменя* ~1 схем*",
];

const DESTRUCTIVE: &[&str] = &[
    "$delete ~3 $store !interface|interfaces|guide|manual|story|stories|agent|type|types|component|components|test|tests|fixture|fixtures",
    "remove|removes|removed|removing|removal|drop|drops|dropping|overwrite|overwrites|overwriting|lose|losing ~3 $kept !attribute|attributes|testid|type|types|class|classes|fixture|fixtures|layer",
    "drop|drops|dropped|dropping ~3 $table",
    "truncate|truncates|truncating|truncation !text|texts|string|strings|title|titles|label|labels|ellipsis|name|names|description|descriptions|line|lines|message|messages|output|word|words|url|urls",
    "rm rf|fr",
    "hard|bulk|mass|cascade|cascading delete|deletes|deletion",
    "delete|deletes|on cascade",
    "data loss|deletion|destruction|erasure|wipe",
    "force push|pushes|pushed|pushing",
    "push force",
    "reset hard",
    "factory reset",
    "format|reformat ~1 disk|disks|drive|drives|partition",
    "destructive|irreversible|irreversibly|mkfs",
    // German
    "$löschen ~3 $daten",
    "$daten ~3 $löschen",
    "datenverlust*|datenlösch*|datenloesch*",
    // French
    "$supprimer ~3 $données",
    "perte|pertes de données",
    // Spanish, Portuguese, Italian
    "$borrar ~3 $datos",
    "pérdida|perda|perdita de|di datos|dados|dati",
    // Russian
    "$удалить ~3 $данные",
    "потер* данн*",
];

const INCIDENT: &[&str] = &[
    "production|prod|live|security incident|incidents|outage|failure|failures|crash|crashes|issue|bug|emergency",
    "production|prod|site|service ~1 down",
    "incident response|report|reports|management|review|commander",
    "sev1|sev2|sev0",
    "outage|outages|rollback|rollbacks|hotfix|hotfixes|hotfixing",
    "roll|rolls|rolled|rolling ~1 back !up|button",
    "hot fix|fixes",
    // German
    "produktionsausfall*|produktionsvorfall*|produktionsstörung*|ausfall|ausfälle|ausfalls|störfall|betriebsstörung*",
    "zurückrollen|zurueckrollen|zurückgerollt",
    // French
    "incident|incidents|panne|pannes en|de production",
    "panne|pannes",
    "retour|retours arrière|en arrière",
    // Spanish, Portuguese, Italian
    "incidente|incidentes|incidenti|caída|queda|fallo|falha en|de|em|in|di producción|produção|produzione",
    "caída|queda del|de|do servicio|serviço|sistema",
    "interrupción|interrupção del|de|do servicio|serviço",
    "disservizio|disservizi",
    // Russian
    "инцидент*|хотфикс*|откат|отката|откатить|откатываем|откатывать",
    "авари*|сбой|сбои|сбоя ~2 прод*|продакшен*|продакшн*|сервис*",
];

const PRIVACY: &[&str] = &[
    "pii|gdpr|hipaa|ccpa|cpra|lgpd|ssn|ssns|soc2|compliance|privacy",
    "soc 2",
    "personal|sensitive|confidential|patient|health|medical|biometric data|information|record|records",
    "personally identifiable",
    "social security",
    "data protection|retention|subject|subjects|residency",
    "cookie consent",
    "right to be forgotten",
    // German
    "datenschutz*|dsgvo|personenbezogen*|privatsphäre|privatsphaere",
    "persönliche|persönlichen|sensible|sensiblen daten",
    // French
    "rgpd|conformité|confidentialité",
    "vie privée",
    "données|informations personnelles|sensibles|personnelle",
    // Spanish, Portuguese, Italian
    "privacidad|privacidade|cumplimiento|conformidade|conformità|riservatezza",
    "datos|dados|dati personales|pessoais|personali|sensibles|sensíveis|sensibili",
    // Russian
    "персональн*|личн*|конфиденциальн* данн*",
    "приватност*|конфиденциальност*",
];

const PUBLIC_API: &[&str] = &[
    "public|published|external|stable api|apis|endpoint|endpoints|sdk",
    "breaking|breaks ~2 change|changes",
    "api|apis|contract breakage",
    "incompatible change|changes|update|updates",
    "break|breaks|breaking|broken ~3 compatibility|clients|consumers|integrators|api|apis|contract",
    "backward|backwards|forward compatibility|incompatible|compatible",
    "deprecate|deprecates|deprecated|deprecating|deprecation|sunset|retire ~3 $api",
    "remove|removes|removing|rename|renames|renaming ~3 endpoint|endpoints|api|apis !docs|documentation|typo|comment",
    // German
    "öffentliche|öffentlichen|öffentlicher|oeffentliche|oeffentlichen api|apis|schnittstelle|schnittstellen",
    "abwärtskompatib*|rückwärtskompatib*|abwaertskompatib*|rueckwaertskompatib*",
    "inkompatible|inkompatiblen änderung|änderungen|aenderung",
    // French
    "api|apis publique|publiques",
    "changement|changements cassant|cassants|incompatible|incompatibles",
    "rupture de compatibilité",
    // Spanish, Portuguese, Italian
    "api|apis pública|públicas|pubblica|pubbliche",
    "cambio|cambios|mudança|mudanças|modifica|modifiche incompatible|incompatibles|incompatível|incompatíveis|incompatibile|incompatibili",
    "compatibilidad|compatibilidade|compatibilità con|hacia|retroattiva|reversa|atrás|retro|com",
    "retrocompatib*",
    // Russian
    "публичн*|внешн*|открыт* api|апи",
    "ломающ*|несовместим* изменени*",
    "обратн* совместимост*",
];

/// Patterns of scripts without spaces between words, by category: Chinese, Japanese, Korean.
pub(super) const UNSPACED: &[(RiskCategory, &[&str])] = &[
    (
        Security,
        &[
            "认证|鉴权|授权|身份验证|登录|登入|登陆|密码|密钥|私钥|凭证|凭据|访问令牌|令牌|加密|解密|漏洞|权限|单点登录|信息安全|安全漏洞",
            "認證|鑑權|授權|身分驗證|登錄|密碼|金鑰|憑證|加密金鑰|權限",
            "認証|認可|ログイン|ログオン|サインイン|パスワード|資格情報|秘密鍵|シークレット|API キー|暗号|復号|脆弱性|アクセス トークン|セキュリティ|権限",
            "인증|로그인|비밀번호|패스워드|암호화|복호화|자격 증명|시크릿|비밀 키|비밀키|액세스 토큰|접근 토큰|보안|취약점|권한",
        ],
    ),
    (
        Payment,
        &[
            "支付|付款|账单|计费|结账|结算|信用卡|退款|發票|发票|帳單|計費|結帳",
            "決済|支払|課金|請求書|クレジット カード|返金|チェックアウト",
            "결제|청구|환불|신용 카드|지불|과금",
        ],
    ),
    (
        Migration,
        &[
            "迁移|遷移|表结构变更|修改表结构|变更表结构|数据库变更|模式变更",
            "マイグレーション|データ移行|データベース移行|スキーマ変更|スキーマの変更",
            "마이그레이션|스키마 변경|스키마를 변경|데이터 이전",
        ],
    ),
    (
        Destructive,
        &[
            "删除~数据|删除~表|删除~用户|删除~账号|删除~账户|清空~数据|清空~表|删表|删库|销毁~数据|数据丢失",
            "刪除~資料|清空~資料|資料遺失",
            "データ~削除|テーブル~削除|ユーザー~削除|アカウント~削除|データ消失|データ損失",
            "데이터~삭제|테이블~삭제|사용자~삭제|계정~삭제|데이터 손실|데이터 유실",
        ],
    ),
    (
        Incident,
        &[
            "生产事故|线上事故|生产故障|线上故障|生产环境故障|宕机|回滚|回滾|热修复|緊急修復",
            "本番障害|本番環境の障害|システム障害|ロールバック|ホットフィックス|緊急修正",
            "서비스 장애|운영 장애|장애 대응|장애 복구|롤백|핫픽스",
        ],
    ),
    (
        Privacy,
        &[
            "个人信息|个人数据|隐私|合规|敏感数据|敏感信息|個人資料|隱私|個資|合規",
            "個人情報|個人データ|プライバシー|コンプライアンス",
            "개인 정보|개인정보|민감 정보|컴플라이언스|규정 준수|프라이버시",
        ],
    ),
    (
        PublicApi,
        &[
            "公开接口|公共接口|对外接口|公开 API|公共 API|破坏性变更|破坏性改动|不兼容|向后兼容|公開 API",
            "破壊的変更|破壊的な変更|後方互換|互換性のない変更",
            "공개 API|퍼블릭 API|하위 호환|호환성이 깨|호환되지 않는",
        ],
    ),
];
