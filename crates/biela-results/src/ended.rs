//! The mark of a run that ended before its time: when, why, and where its driver was.
//!
//! Every format that has room for it keeps it under the same keys, `complete` and `ended`; a table of text has none.

use biela_base::error::Error;
use serde_json::{json, Value};

/// Where and why a run ended before its time. Its samples are those up to there.
#[derive(Debug, Clone, PartialEq)]
pub struct Ended {
    /// When, in seconds: at the last sample or later.
    pub t: f64,
    /// Why, in one word: `singular`, `limit`, or the word of an error's kind, such as `motion` or `drive`.
    pub reason: String,
    /// Name of the driver that leads there.
    pub driver: Option<String>,
    /// Its value there, in SI.
    pub value: Option<f64>,
}

impl Ended {
    /// By the error that ended it, after a last sample at time `t`.
    pub fn of(error: &Error, t: f64) -> Ended {
        let t = error.time().filter(|time| *time >= t).unwrap_or(t);
        let kind = error.kind().word();
        match error.end() {
            Some(end) => Ended { t, reason: end.reason.into(), driver: end.driver.clone(), value: end.value },
            None => Ended { t, reason: kind.into(), driver: None, value: None },
        }
    }

    /// As JSON.
    pub fn json(&self) -> Value {
        json!({ "t": self.t, "reason": self.reason, "driver": self.driver, "value": self.value })
    }

    /// What [`Ended::json`] wrote; `None` where a key is missing or of another type.
    pub(crate) fn read(value: &Value) -> Option<Ended> {
        let text = |key: &str| value.get(key)?.as_str().map(str::to_string);
        Some(Ended {
            t: value.get("t")?.as_f64()?,
            reason: text("reason")?,
            driver: text("driver"),
            value: value.get("value").and_then(Value::as_f64),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use biela_base::error::{End, ErrorKind};

    #[test]
    fn an_error_says_when_and_why() {
        let lost = ErrorKind::Motion.error("lost").at_time(0.25);
        let plain = Ended { t: 0.25, reason: "motion".into(), driver: None, value: None };
        assert_eq!(Ended::of(&lost, 0.2), plain);
        // A search that went back in time before it failed does not end the run before its last sample.
        assert_eq!(Ended::of(&lost, 0.3).t, 0.3);
        let end = End { reason: "singular", driver: Some("motor".into()), value: Some(1.5) };
        let told = Ended::of(&lost.ending(end), 0.2);
        assert_eq!(told.json().to_string(), r#"{"driver":"motor","reason":"singular","t":0.25,"value":1.5}"#);
        assert_eq!(Ended::read(&told.json()), Some(told));
        assert_eq!(Ended::read(&json!({"t": 1})), None);
    }
}
