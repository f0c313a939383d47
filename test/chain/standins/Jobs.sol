// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice What the stand-ins share: events that are the same in every dialect. No money, no rules: they hold jobs and tell.
abstract contract Jobs {
    enum JobStatus {
        Open,
        Funded,
        Submitted,
        Completed,
        Rejected,
        Expired
    }

    event JobSubmitted(uint256 indexed jobId, address indexed provider, bytes32 deliverable);
    event PaymentReleased(uint256 indexed jobId, address indexed provider, uint256 amount);
    event Refunded(uint256 indexed jobId, address indexed client, uint256 amount);

    uint256 internal last;
}

/// @notice The fields in the order of the drafts; `hook` is last, as most implementations have it.
abstract contract FlatJobs is Jobs {
    struct Job {
        uint256 id;
        address client;
        address provider;
        address evaluator;
        string description;
        uint256 budget;
        uint256 expiredAt;
        JobStatus status;
        address hook;
    }

    mapping(uint256 => Job) internal jobs;

    function _create(address provider, address evaluator, uint256 expiredAt, string calldata description, address hook) internal {
        last++;
        jobs[last] = Job(last, msg.sender, provider, evaluator, description, 0, expiredAt, JobStatus.Open, hook);
    }

    function _price(uint256 jobId, uint256 amount) internal {
        jobs[jobId].budget = amount;
    }

    function _move(uint256 jobId, JobStatus status) internal returns (Job storage job) {
        job = jobs[jobId];
        job.status = status;
    }

    function claimRefund(uint256 jobId) external {
        Job storage job = _move(jobId, JobStatus.Expired);
        emit Refunded(jobId, job.client, job.budget);
    }

    function getJob(uint256 jobId) external view virtual returns (Job memory) {
        return jobs[jobId];
    }
}

/// @notice Judgements with optional bytes behind, as all dialects but the first have them.
abstract contract FlatJobsWithBytes is FlatJobs {
    function submit(uint256 jobId, bytes32 deliverable, bytes calldata) external {
        emit JobSubmitted(jobId, _move(jobId, JobStatus.Submitted).provider, deliverable);
    }

    function complete(uint256 jobId, bytes32, bytes calldata) external {
        Job storage job = _move(jobId, JobStatus.Completed);
        emit PaymentReleased(jobId, job.provider, job.budget);
    }

    function reject(uint256 jobId, bytes32, bytes calldata) external {
        Job storage job = _move(jobId, JobStatus.Rejected);
        emit Refunded(jobId, job.client, job.budget);
    }
}
