use proptest::prelude::*;

use super::RiskCategory::{Destructive, Incident, Migration, Payment, Privacy, PublicApi, Security};
use super::*;

fn found(task: &str) -> Vec<(String, RiskCategory)> {
    detect_risks(task).into_iter().map(|risk| (risk.word, risk.category)).collect()
}

#[test]
fn fires_in_english() {
    let cases: &[(RiskCategory, &[&str])] = &[
        (
            Security,
            &[
                "Fix the auth flow",
                "authn",
                "authz",
                "authentication",
                "authorize the caller",
                "Authorisation",
                "OAuth",
                "OAuth2",
                "add OAuth2Client",
                "SSO",
                "SAML",
                "JWT",
                "rotate JWTs",
                "login page",
                "let users log in",
                "the log in form",
                "sign-in",
                "sign in with Google",
                "password",
                "passwordless links",
                "credential",
                "CREDENTIALS",
                "secret",
                "secrets",
                "API key",
                "api_key",
                "apiKeys",
                "access token",
                "auth tokens",
                "revoke all tokens",
                "encrypt",
                "encryption at rest",
                "decrypt",
                "TLS certificate",
                "renew the TLS cert",
                "loginHandler",
                "user_password",
                "src/auth/mod.rs",
                "AUTH_TOKEN",
                "ＯＡｕｔｈ",
                "pass\u{AD}word",
                "SQL injection",
                "the security review",
                "users stay logged in as guests",
            ],
        ),
        (
            Payment,
            &[
                "payment",
                "payments",
                "billing",
                "checkout",
                "checkout flow",
                "credit card",
                "credit-card form",
                "PaymentService",
                "PCI",
                "integrate Stripe",
                "PayPal button",
                "refunds",
            ],
        ),
        (
            Migration,
            &[
                "migration",
                "migrations",
                "migrate to Postgres",
                "schema change",
                "change the users schema",
                "ALTER TABLE",
                "db_migration_v2",
            ],
        ),
        (
            Destructive,
            &[
                "drop table",
                "DROP TABLE users",
                "drop the old users table",
                "drop column",
                "truncate",
                "TRUNCATE orders",
                "delete data",
                "delete all customer data",
                "destroy the staging database",
                "purge old records",
                "wipe the disk",
                "remove data",
                "remove all user data",
                "rm -rf",
                "rm -rf build/",
                "git push --force",
                "data loss",
                "deleteUserAccount",
                "delete_all_users",
            ],
        ),
        (
            Incident,
            &[
                "production incident",
                "prod incident",
                "outage",
                "rollback",
                "roll back the release",
                "hotfix",
                "production is down",
            ],
        ),
        (
            Privacy,
            &[
                "PII",
                "GDPR",
                "HIPAA",
                "compliance",
                "personal data",
                "personal_data",
                "patient records",
                "SOC 2",
            ],
        ),
        (
            PublicApi,
            &[
                "public API",
                "publicApi",
                "breaking change",
                "breaking API changes",
                "deprecate endpoint",
                "deprecate the old /users endpoint",
                "backwards-incompatible",
                "rename the endpoint",
            ],
        ),
    ];
    for (category, tasks) in cases {
        for task in *tasks {
            assert!(
                found(task).iter().any(|(_, found)| found == category),
                "{category:?} in {task}: {:?}",
                found(task)
            );
        }
    }
}

#[test]
fn fires_in_other_languages() {
    let cases: &[(RiskCategory, &[&str])] = &[
        (
            Security,
            &[
                "Authentifizierung einbauen",
                "Passwörter zurücksetzen",
                "Verschluesselung",
                "Zugangsdaten",
                "API-Schlüssel",
                "authentification",
                "mot de passe oublié",
                "chiffrement des clés",
                "clé d'API",
                "page de connexion",
                "autenticación",
                "AUTENTICACION",
                "autenticacio\u{301}n",
                "contraseñas",
                "inicio de sesión",
                "clave de API",
                "autenticação",
                "senha",
                "segurança",
                "autenticazione",
                "credenziali",
                "crittografia",
                "аутентификация",
                "авторизация пользователей",
                "сменить пароль",
                "учётные данные",
                "токен доступа",
                "添加用户认证",
                "登录页面",
                "修改密码",
                "認證",
                "ログイン画面",
                "認証を追加",
                "OAuth認証",
                "パスワード",
                "로그인 기능",
                "사용자인증을 추가",
                "비밀번호 재설정",
                "API 키 / 액세스 토큰",
            ],
        ),
        (
            Payment,
            &[
                "Zahlungsabwicklung",
                "Kreditkartendaten",
                "paiement",
                "carte bancaire",
                "pagos",
                "tarjeta de crédito",
                "pagamento",
                "cartão de crédito",
                "fatturazione",
                "carta di credito",
                "платежи",
                "оплата",
                "支付接口",
                "決済",
                "결제",
            ],
        ),
        (
            Migration,
            &[
                "Datenbankmigration",
                "Schemaänderung",
                "migrieren",
                "migrer la base",
                "changement de schéma",
                "migración",
                "migração",
                "migrazione",
                "миграция",
                "миграцию базы",
                "数据库迁移",
                "マイグレーション",
                "마이그레이션",
                "스키마 변경",
            ],
        ),
        (
            Destructive,
            &[
                "alle Kundendaten löschen",
                "lösche die alten Daten",
                "supprimer les données",
                "borrar los datos",
                "eliminar la tabla",
                "apagar todos os dados",
                "cancellare i dati",
                "удалить данные",
                "удаление старой таблицы",
                "删除所有用户数据",
                "データを削除",
                "데이터를 삭제",
                "force-push",
            ],
        ),
        (
            Incident,
            &[
                "Produktionsausfall",
                "panne de production",
                "incidente en producción",
                "incidente em produção",
                "инцидент",
                "откатить релиз",
                "生产事故",
                "回滚",
                "ロールバック",
                "롤백",
            ],
        ),
        (
            Privacy,
            &[
                "DSGVO",
                "personenbezogene Daten",
                "RGPD",
                "données personnelles",
                "datos personales",
                "LGPD",
                "dados pessoais",
                "dati personali",
                "персональные данные",
                "个人信息",
                "個人情報",
                "개인정보",
                "개인 정보",
            ],
        ),
        (
            PublicApi,
            &[
                "öffentliche API",
                "API publique",
                "API pública",
                "cambios incompatibles",
                "API pubblica",
                "публичный API",
                "обратная совместимость",
                "公共API",
                "公开 API",
                "破壊的変更",
                "공개 API",
            ],
        ),
    ];
    for (category, tasks) in cases {
        for task in *tasks {
            assert!(
                found(task).iter().any(|(_, found)| found == category),
                "{category:?} in {task}: {:?}",
                found(task)
            );
        }
    }
}

#[test]
fn stays_silent() {
    for task in [
        "tokenizer",
        "Speed up the tokenizer",
        "token stream",
        "lex each token",
        "validate the token stream",
        "secretary",
        "secretaryName",
        "reproduction",
        "schematic",
        "undelete",
        "author",
        "AuthorService",
        "the authoring tool",
        "authority",
        "isAuthority",
        "oauthor",
        "OAuthor",
        "migratory birds page",
        "immigration form",
        "API docs typo",
        "the Delete key",
        "delete key",
        "production build",
        "remove unused import",
        "remove dead code",
        "schema",
        "document the JSON schema",
        "certificate of completion",
        "git checkout",
        "work in the main checkout",
        "a truncated line",
        "git checkout -b fix",
        "checkout the branch",
        "check out this page",
        "add logging in the worker",
        "write a log in the worker",
        "the log in the worker",
        "catalog in German",
        "a sign in the window",
        "truncate long titles",
        "truncate the text",
        "drop-down table",
        "drop shadow on the table",
        "drop support for tables",
        "Drop it. Table tennis page",
        "remove the row divider",
        "zebra stripe",
        "stripe pattern",
        "Secret Santa page",
        "cryptic message",
        "blogging",
        "passport photo",
        "pass word by word",
        "compass",
        "apparel",
        "formatting",
        "README",
        "",
        " \n\t",
        "パン屋のページ",
        "トークナイザ",
        "무엇인가를 만들기",
        "요청 구현",
        "장애인 지원",
        "секретарь",
        "удалённый рабочий стол",
        "автор книги",
        "токенизатор",
        "Berechnung der Summe",
        "auteur",
        "autor",
        "Sekretariat",
        "hacer una página",
        "línea de base",
        "线程",
        "数据表格组件",
        "delete the unused function",
        "delete the old user interface",
        "remove data-testid attributes",
    ] {
        assert_eq!(found(task), [], "{task}");
    }
}

#[test]
fn gives_the_words_as_written_and_their_place() {
    let task = "Überarbeite: OAuth2-Login, dann DROP the old Users Table; login";
    let risks = detect_risks(task);
    let words: Vec<_> = risks.iter().map(|risk| (risk.word.as_str(), risk.category)).collect();
    assert_eq!(words, [("OAuth2", Security), ("Login", Security), ("DROP the old Users Table", Destructive)]);
    for risk in &risks {
        assert!(task.get(risk.byte..).unwrap().starts_with(&risk.word));
    }
}

#[test]
fn each_category_has_its_documented_token() {
    let tokens =
        serde_json::to_string(&[Security, Payment, Migration, Destructive, Incident, Privacy, PublicApi]);
    assert_eq!(
        tokens.unwrap(),
        r#"["security","payment","migration","destructive","incident","privacy","public_api"]"#
    );
}

#[test]
fn long_texts_are_safe() {
    for piece in ["delete ", "a", "A", "delete the ", "\u{301}", "データ", "-", "\n"] {
        let text = piece.repeat(200_000);
        assert!(detect_risks(&text).len() <= 1, "{piece}");
    }
}

proptest! {
    #[test]
    fn never_panics_and_points_into_the_text(task in "(\\PC|login|delete data|认证|[A-Z_. \n-]){0,40}") {
        for risk in detect_risks(&task) {
            prop_assert_eq!(task.get(risk.byte..risk.byte + risk.word.len()), Some(risk.word.as_str()));
        }
    }
}
